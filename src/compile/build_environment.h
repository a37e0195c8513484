// The environment in which `heddle build -- make` runs its command: CC and CXX name the
// wrappers, which is what make's own rules, CMake, autotools and Meson read.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle {

struct BuildSettings {
  std::string compiler;                   // behind the wrappers, C or C++; empty: the default
  std::vector<std::string> ignore_lists;  // see ignore_list.h
  std::vector<std::string> only_lists = {};
};

// "NAME=value" for each variable to set. `folder` is where the wrappers are, `path` the
// PATH so far: with the wrappers in front, `make CC=heddle-cc` works as well.
Result<std::vector<std::string>> build_environment(const BuildSettings& settings,
                                                   const std::string& folder,
                                                   const std::string& path);

// The compiler of the same make for the other language: g++-12 for gcc-12, clang for
// clang++; a name that does not tell stays as it is.
std::string c_compiler_of(const std::string& name);
std::string cplusplus_compiler_of(const std::string& name);

}  // namespace heddle
