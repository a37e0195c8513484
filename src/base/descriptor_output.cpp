#include "base/descriptor_output.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace heddle {

Result<std::unique_ptr<Output>> DescriptorOutput::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return make_error("{}: {}", path, std::strerror(errno));
  return std::unique_ptr<Output>(new DescriptorOutput(descriptor, path, true));
}

DescriptorOutput::~DescriptorOutput() {
  if (owned_) ::close(descriptor_);
}

Result<void> DescriptorOutput::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Some file systems report a failed write only here.
Result<void> DescriptorOutput::close() {
  if (!std::exchange(owned_, false)) return {};
  if (::close(descriptor_) != 0 && errno != EINTR) return failure();
  return {};
}

Error DescriptorOutput::failure() const {
  return make_error("{}: cannot write: {}", name_, std::strerror(errno));
}

}  // namespace heddle
