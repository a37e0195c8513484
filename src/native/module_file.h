// An executable or shared library on disk, opened for its debug information.
//
// elfutils finds the information in the file itself or, where it was split off, by the
// build id or debug link in the usual places.
#pragma once

#include <memory>
#include <string>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/result.h"

namespace heddle {

class ModuleFile {
 public:
  static Result<ModuleFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  // In hexadecimal digits, as `file` and debuggers show it; empty if it has none.
  std::string build_id() const;
  // What DWARF there is, or an error that says how to get some. Its addresses are those in
  // the file, before it is loaded anywhere.
  Result<Dwarf*> dwarf() const;

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
