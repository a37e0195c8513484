#include "base/output.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace heddle {
namespace {

class DescriptorOutput final : public Output {
 public:
  DescriptorOutput(std::string name, int descriptor, bool owned)
      : Output(std::move(name)), descriptor_(descriptor), owned_(owned) {}
  ~DescriptorOutput() override {
    if (owned_) ::close(descriptor_);
  }

  Result<void> write(std::span<const std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return make_error("{}: cannot write: {}", name(), std::strerror(errno));
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }

  Result<void> close() override {
    if (!std::exchange(owned_, false)) return {};
    if (::close(descriptor_) != 0 && errno != EINTR) {
      return make_error("{}: cannot write: {}", name(), std::strerror(errno));
    }
    return {};
  }

 private:
  int descriptor_;
  bool owned_;
};

class MemoryOutput final : public Output {
 public:
  MemoryOutput(std::string name, std::string& bytes) : Output(std::move(name)), bytes_(bytes) {}

  Result<void> write(std::span<const std::uint8_t> bytes) override {
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  }

 private:
  std::string& bytes_;
};

}  // namespace

Result<std::unique_ptr<Output>> Output::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return make_error("{}: {}", path, std::strerror(errno));
  return std::unique_ptr<Output>(std::make_unique<DescriptorOutput>(path, descriptor, true));
}

std::unique_ptr<Output> Output::to_descriptor(int descriptor, std::string name) {
  return std::make_unique<DescriptorOutput>(std::move(name), descriptor, false);
}

std::unique_ptr<Output> Output::to_memory(std::string& bytes, std::string name) {
  return std::make_unique<MemoryOutput>(std::move(name), bytes);
}

}  // namespace heddle
