// Bytes to a file, a pipe or memory, compressed on the way where the name asks for it.
//
// The mirror of Input. A regular file is written under another name beside it and takes
// its place only when close() has succeeded: a conversion that fails half-way leaves
// nothing that looks whole, and may safely write over its own input.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle {

class Output {
 public:
  virtual ~Output() = default;

  // Creates a file, gzip'ed or zstd'ed if its name ends in ".gz" or ".zst"; "-" is
  // standard output.
  static Result<std::unique_ptr<Output>> create(const std::string& path);
  // Appends to `bytes`, which must outlive the output.
  static std::unique_ptr<Output> to_memory(std::string& bytes);
  // Wraps an output in compression.
  static std::unique_ptr<Output> gzip(std::unique_ptr<Output> compressed);
  static std::unique_ptr<Output> zstd(std::unique_ptr<Output> compressed);

  virtual Result<void> write(std::string_view bytes) = 0;
  // Writes what is left; without it the output counts as given up.
  virtual Result<void> close() = 0;
};

}  // namespace heddle
