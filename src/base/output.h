// Bytes to a file, a descriptor or memory.
//
// Nothing is held back: write() returns when the operating system has all of the
// bytes, so they survive the death of this process. Whoever writes small pieces
// gathers them first.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace heddle {

class Output {
 public:
  virtual ~Output() = default;

  // Makes the file, or empties it if it is there.
  static Result<std::unique_ptr<Output>> create(const std::string& path);
  // Leaves the descriptor open in the end.
  static std::unique_ptr<Output> to_descriptor(int descriptor, std::string name);
  // Appends to `bytes`, which must outlive the output.
  static std::unique_ptr<Output> to_memory(std::string& bytes, std::string name);

  virtual Result<void> write(std::span<const std::uint8_t> bytes) = 0;
  // Some file systems report a failed write only now.
  virtual Result<void> close() { return {}; }

  // The name to use in messages.
  const std::string& name() const { return name_; }

 protected:
  explicit Output(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

}  // namespace heddle
