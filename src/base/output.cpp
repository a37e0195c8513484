#include "base/output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace heddle {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

class FileOutput final : public Output {
 public:
  // `target` is the name that the file takes at the end; empty when it has it already.
  FileOutput(std::string name, std::string target, int descriptor, bool owned)
      : name_(std::move(name)),
        target_(std::move(target)),
        descriptor_(descriptor),
        owned_(owned) {}
  ~FileOutput() override {
    if (owned_ && descriptor_ >= 0) ::close(descriptor_);
    if (!target_.empty()) ::unlink(name_.c_str());
  }
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  Result<void> write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return failure();
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
  }

  Result<void> close() override {
    if (!owned_) return {};
    const int status = ::close(descriptor_);
    descriptor_ = -1;
    if (status != 0) return failure();
    if (target_.empty()) return {};
    if (::rename(name_.c_str(), target_.c_str()) != 0) return failure();
    target_.clear();
    return {};
  }

 private:
  Error failure() const {
    const int cause = errno;
    return make_error("{}: {}", target_.empty() ? name_ : target_, std::strerror(cause));
  }

  std::string name_;
  std::string target_;
  int descriptor_;
  bool owned_;
};

class MemoryOutput final : public Output {
 public:
  explicit MemoryOutput(std::string& bytes) : bytes_(bytes) {}
  Result<void> write(std::string_view bytes) override {
    bytes_.append(bytes);
    return {};
  }
  Result<void> close() override { return {}; }

 private:
  std::string& bytes_;
};

class GzipOutput final : public Output {
 public:
  explicit GzipOutput(std::unique_ptr<Output> compressed) : compressed_(std::move(compressed)) {
    constexpr int kGzip = 15 + 16;
    constexpr int kMemoryLevel = 8;
    CHECK(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel,
                       Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipOutput() override { deflateEnd(&stream_); }
  GzipOutput(const GzipOutput&) = delete;
  GzipOutput& operator=(const GzipOutput&) = delete;

  Result<void> write(std::string_view bytes) override {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) {
      TRY_VOID(deflate_all(bytes.substr(0, kChunk), Z_NO_FLUSH));
    }
    return {};
  }
  Result<void> close() override {
    TRY_VOID(deflate_all({}, Z_FINISH));
    return compressed_->close();
  }

 private:
  Result<void> deflate_all(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(chunk_.data());
      stream_.avail_out = static_cast<uInt>(chunk_.size());
      CHECK(deflate(&stream_, flush) != Z_STREAM_ERROR);
      TRY_VOID(compressed_->write({chunk_.data(), chunk_.size() - stream_.avail_out}));
    } while (stream_.avail_out == 0);
    return {};
  }

  std::unique_ptr<Output> compressed_;
  z_stream stream_{};
  std::array<char, kChunk> chunk_{};
};

class ZstdOutput final : public Output {
 public:
  explicit ZstdOutput(std::unique_ptr<Output> compressed)
      : compressed_(std::move(compressed)), stream_(ZSTD_createCCtx()) {
    CHECK(stream_ != nullptr);
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdOutput() override { ZSTD_freeCCtx(stream_); }
  ZstdOutput(const ZstdOutput&) = delete;
  ZstdOutput& operator=(const ZstdOutput&) = delete;

  Result<void> write(std::string_view bytes) override {
    return compress_all(bytes, ZSTD_e_continue);
  }
  Result<void> close() override {
    TRY_VOID(compress_all({}, ZSTD_e_end));
    return compressed_->close();
  }

 private:
  Result<void> compress_all(std::string_view bytes, ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer out{chunk_.data(), chunk_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_, &out, &in, mode);
      if (ZSTD_isError(left) != 0) return make_error("zstd: {}", ZSTD_getErrorName(left));
      TRY_VOID(compressed_->write({chunk_.data(), out.pos}));
      if (mode == ZSTD_e_end ? left == 0 : in.pos == in.size) return {};
    }
  }

  std::unique_ptr<Output> compressed_;
  ZSTD_CCtx* stream_;
  std::array<char, kChunk> chunk_{};
};

// Only a plain file, or a name that is still free, can be replaced as a whole; a pipe, a
// device or a link is written in place.
bool replaceable(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
  return S_ISREG(status.st_mode);
}

Result<std::unique_ptr<Output>> create_file(const std::string& path) {
  const bool replaced = replaceable(path);
  const std::string name = replaced ? fmt::format("{}.partial-{}", path, ::getpid()) : path;
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return make_error("{}: {}", path, std::strerror(errno));
  std::unique_ptr<Output> output =
      std::make_unique<FileOutput>(name, replaced ? path : "", descriptor, true);
  return output;
}

}  // namespace

Result<std::unique_ptr<Output>> Output::create(const std::string& path) {
  std::unique_ptr<Output> file;
  if (path == "-") {
    file = std::make_unique<FileOutput>("standard output", "", 1, false);
    return file;
  }
  TRY(file, create_file(path));
  if (path.ends_with(".gz")) return gzip(std::move(file));
  if (path.ends_with(".zst")) return zstd(std::move(file));
  return file;
}

std::unique_ptr<Output> Output::to_memory(std::string& bytes) {
  return std::make_unique<MemoryOutput>(bytes);
}
std::unique_ptr<Output> Output::gzip(std::unique_ptr<Output> compressed) {
  return std::make_unique<GzipOutput>(std::move(compressed));
}
std::unique_ptr<Output> Output::zstd(std::unique_ptr<Output> compressed) {
  return std::make_unique<ZstdOutput>(std::move(compressed));
}

}  // namespace heddle
