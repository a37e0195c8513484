// An executable or shared library on disk, opened for its debug information.
//
// elfutils finds the information in the file itself or, where it was split off, by the
// build id or debug link in the usual places.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/result.h"

namespace heddle {

// A name of the linker's, made readable, and how far behind its start.
struct LinkedName {
  std::string name;
  std::uint64_t offset = 0;
};

class ModuleFile {
 public:
  // Debug information that was split off is looked for only if `separate_files`.
  static Result<ModuleFile> open(const std::string& path, bool separate_files = true);

  const std::string& path() const { return path_; }
  // In hexadecimal digits, as `file` and debuggers show it; empty if it has none.
  std::string build_id() const;
  // What DWARF there is, or an error that says how to get some. Its addresses are those in
  // the file, before it is loaded anywhere.
  Result<Dwarf*> dwarf() const;
  // How the frames of its functions lie on the stack; null if the file does not say.
  Dwarf_CFI* call_frames() const;
  // The lowest address that the file asks for: 0 where it can lie anywhere.
  std::uint64_t lowest_address() const;
  // Whether it is linked with the shared library of that name.
  bool needs_library(std::string_view name) const;
  // The symbol with these bytes (an address as in the file), for what DWARF does not name.
  std::optional<LinkedName> symbol_at(std::uint64_t address) const;

 private:
  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };

  std::string path_;
  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_ = nullptr;
};

// The build id of an executable or shared library; empty if it was linked without one.
Result<std::string> build_id_of(const std::string& path);

}  // namespace heddle
