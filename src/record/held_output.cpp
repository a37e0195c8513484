#include "record/held_output.h"

#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/wire.h"

namespace heddle {
namespace {

// As discard_output() in launch.cpp has it.
class Destinations {
 public:
  explicit Destinations(const Launch& launch) {
    if (!launch.discard_output) return;
    output_ = errors_ = launch.output;
    if (launch.errors_path.empty()) return;
    opened_ = ::open(launch.errors_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    errors_ = opened_;
  }
  ~Destinations() {
    if (opened_ >= 0) ::close(opened_);
  }
  Destinations(const Destinations&) = delete;
  Destinations& operator=(const Destinations&) = delete;

  int of(std::uint32_t descriptor) const { return descriptor == STDOUT_FILENO ? output_ : errors_; }

 private:
  int output_ = STDOUT_FILENO;
  int errors_ = STDERR_FILENO;
  int opened_ = -1;
};

// Somebody may have stopped reading; the run was made all the same.
void write_all(int descriptor, std::string_view text) {
  while (descriptor >= 0 && !text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void let_out(std::string_view printed, const Launch& launch) {
  const Destinations destinations(launch);
  wire::Printed piece;
  while (printed.size() >= sizeof piece) {
    std::memcpy(&piece, printed.data(), sizeof piece);
    printed.remove_prefix(sizeof piece);
    write_all(destinations.of(piece.descriptor), printed.substr(0, piece.size));
    printed.remove_prefix(std::min<std::size_t>(piece.size, printed.size()));
  }
}

}  // namespace heddle
