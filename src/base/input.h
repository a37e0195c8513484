// Bytes from a file, a pipe or memory, with gzip and zstd undone on the way.
//
// Which of the two it is, if any, is told by the first bytes, not by the name. Reads
// go through one buffer, so memory use does not depend on the input's length.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle {

class Input {
 public:
  virtual ~Input() = default;

  // Opens a file; "-" is standard input.
  static Result<std::unique_ptr<Input>> open(const std::string& path);
  // Reads `bytes` (which must outlive the input) as if they were a file of that name.
  static Result<std::unique_ptr<Input>> from_memory(std::string_view bytes, std::string name);

  // Fills as much of `buffer` as there is; fewer bytes than asked for mean the end.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // The name to use in messages.
  const std::string& name() const { return name_; }

 protected:
  explicit Input(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// The first `size` bytes of an input (fewer if it is shorter), which is left as it was.
Result<std::string> peek(std::unique_ptr<Input>& input, std::size_t size);

// Lines of an input, without their ends ("\n" or "\r\n"); the last may lack one.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<Input> input);

  // The next line, or nothing at the end. The view is good until the next call. A
  // line longer than kMaxLine is an error.
  Result<bool> next(std::string_view& line);
  std::uint64_t line_number() const { return line_number_; }
  const std::string& name() const { return input_->name(); }

  static constexpr std::size_t kMaxLine = std::size_t{1} << 24;

 private:
  Result<void> fill();
  Error too_long() const;

  std::unique_ptr<Input> input_;
  std::string buffer_;
  std::size_t begin_ = 0;  // unread part of the buffer: [begin_, end_)
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
};

}  // namespace heddle
