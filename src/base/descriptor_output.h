// An output that holds nothing back and shows everything at once.
//
// Where Output::create() lets a file appear when it is whole, this one is for files
// that must be readable whatever happens: when write() returns, the operating system
// has all of the bytes under the final name, and the death of this process does not
// take them.
#pragma once

#include <string>

#include "base/output.h"

namespace heddle {

class DescriptorOutput final : public Output {
 public:
  // Makes the file, or empties it if it is there.
  static Result<std::unique_ptr<Output>> create(const std::string& path);

  // Writes to an open descriptor and leaves it open in the end.
  DescriptorOutput(int descriptor, std::string name)
      : DescriptorOutput(descriptor, std::move(name), false) {}
  ~DescriptorOutput() override;
  DescriptorOutput(const DescriptorOutput&) = delete;
  DescriptorOutput& operator=(const DescriptorOutput&) = delete;

  Result<void> write(std::string_view bytes) override;
  Result<void> close() override;

 private:
  DescriptorOutput(int descriptor, std::string name, bool owned)
      : descriptor_(descriptor), name_(std::move(name)), owned_(owned) {}
  Error failure() const;

  int descriptor_;
  std::string name_;
  bool owned_;
};

}  // namespace heddle
