#include "base/input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace heddle {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

class FileInput final : public Input {
 public:
  FileInput(std::string name, int descriptor, bool owned)
      : Input(std::move(name)), descriptor_(descriptor), owned_(owned) {}
  ~FileInput() override {
    if (owned_) ::close(descriptor_);
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      const ssize_t got = ::read(descriptor_, buffer.data() + done, buffer.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return make_error("{}: {}", name(), std::strerror(errno));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  int descriptor_;
  bool owned_;
};

class MemoryInput final : public Input {
 public:
  MemoryInput(std::string name, std::string_view bytes) : Input(std::move(name)), bytes_(bytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size());
    std::memcpy(buffer.data(), bytes_.data(), size);
    bytes_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view bytes_;
};

// Bytes that were read already, and then the rest of the input.
class RejoinedInput final : public Input {
 public:
  RejoinedInput(std::unique_ptr<Input> rest, std::string head)
      : Input(rest->name()), rest_(std::move(rest)), head_(std::move(head)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), head_.size() - used_);
    std::memcpy(buffer.data(), head_.data() + used_, size);
    used_ += size;
    TRY(const std::size_t more, rest_->read(buffer.subspan(size)));
    return size + more;
  }

 private:
  std::unique_ptr<Input> rest_;
  std::string head_;
  std::size_t used_ = 0;
};

class GzipInput final : public Input {
 public:
  explicit GzipInput(std::unique_ptr<Input> compressed)
      : Input(compressed->name()), compressed_(std::move(compressed)) {
    constexpr int kGzipOrZlib = 15 + 32;
    CHECK(inflateInit2(&stream_, kGzipOrZlib) == Z_OK);
  }
  ~GzipInput() override { inflateEnd(&stream_); }
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        TRY(const std::size_t got, compressed_->read(chunk_));
        if (got == 0 && inside_) return make_error("{}: the gzip data is cut off", name());
        if (got == 0) break;
        stream_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
        stream_.avail_in = static_cast<uInt>(got);
      }
      inside_ = true;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {  // another member may follow
        inside_ = false;
        inflateReset(&stream_);
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return make_error("{}: the gzip data is damaged", name());
      }
    }
    return buffer.size() - stream_.avail_out;
  }

 private:
  std::unique_ptr<Input> compressed_;
  z_stream stream_{};
  bool inside_ = true;  // in the middle of a member
  std::array<char, kChunk> chunk_{};
};

class ZstdInput final : public Input {
 public:
  explicit ZstdInput(std::unique_ptr<Input> compressed)
      : Input(compressed->name()),
        compressed_(std::move(compressed)),
        stream_(ZSTD_createDStream()) {
    CHECK(stream_ != nullptr);
  }
  ~ZstdInput() override { ZSTD_freeDStream(stream_); }
  ZstdInput(const ZstdInput&) = delete;
  ZstdInput& operator=(const ZstdInput&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos < out.size) {
      if (in_.pos == in_.size) {
        TRY(const std::size_t got, compressed_->read(chunk_));
        in_ = {chunk_.data(), got, 0};
      }
      const std::size_t before = out.pos;
      const bool no_more_input = in_.size == 0;
      const std::size_t status = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(status) != 0) {
        return make_error("{}: the zstd data is damaged ({})", name(), ZSTD_getErrorName(status));
      }
      if (!no_more_input) inside_ = status != 0;
      if (no_more_input && out.pos == before) {
        if (inside_) return make_error("{}: the zstd data is cut off", name());
        break;
      }
    }
    return out.pos;
  }

 private:
  std::unique_ptr<Input> compressed_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool inside_ = true;  // in the middle of a frame
  std::array<char, kChunk> chunk_{};
};

Result<std::unique_ptr<Input>> decompressed(std::unique_ptr<Input> input) {
  const Result<std::string> head = peek(input, 4);
  if (!head.ok()) return head.error();
  if (head->starts_with("\x1f\x8b")) {
    input = std::make_unique<GzipInput>(std::move(input));
  } else if (head->starts_with("\x28\xb5\x2f\xfd")) {
    input = std::make_unique<ZstdInput>(std::move(input));
  }
  return input;
}

}  // namespace

Result<std::unique_ptr<Input>> Input::open(const std::string& path) {
  if (path == "-") return decompressed(std::make_unique<FileInput>("standard input", 0, false));
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return make_error("{}: {}", path, std::strerror(errno));
  return decompressed(std::make_unique<FileInput>(path, descriptor, true));
}

Result<std::unique_ptr<Input>> Input::from_memory(std::string_view bytes, std::string name) {
  return decompressed(std::make_unique<MemoryInput>(std::move(name), bytes));
}

Result<std::string> peek(std::unique_ptr<Input>& input, std::size_t size) {
  std::string head(size, '\0');
  TRY(const std::size_t got, input->read(head));
  head.resize(got);
  input = std::make_unique<RejoinedInput>(std::move(input), head);
  return head;
}

LineReader::LineReader(std::unique_ptr<Input> input)
    : input_(std::move(input)), buffer_(4 * kChunk, '\0') {}

Result<bool> LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const char* first = buffer_.data() + searched;
    const void* found = std::memchr(first, '\n', end_ - searched);
    if (found != nullptr || at_end_) {
      if (found == nullptr && begin_ == end_) return false;
      const std::size_t stop =
          found != nullptr
              ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data())
              : end_;
      line = std::string_view(buffer_).substr(begin_, stop - begin_);
      if (line.size() > kMaxLine) return too_long();
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin_ = std::min(stop + 1, end_);
      ++line_number_;
      return true;
    }
    const std::size_t unread = end_ - begin_;
    if (unread > kMaxLine) return too_long();
    TRY_VOID(fill());
    searched = begin_ + unread;
  }
}

Error LineReader::too_long() const {
  return make_error("{}:{}: a line of more than {} bytes", name(), line_number_ + 1, kMaxLine);
}

Result<void> LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::span<char> room(buffer_.data() + end_, buffer_.size() - end_);
  TRY(const std::size_t got, input_->read(room));
  at_end_ = got < room.size();
  end_ += got;
  return {};
}

}  // namespace heddle
