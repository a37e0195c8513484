// Small programs compiled for the tests, with every compiler and version of DWARF.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "native/program.h"

namespace heddle {

struct Symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

// A source compiled into a folder of its own, and what nm says about it.
class CompiledProgram {
 public:
  // `command` is a compiler with options, as for a shell.
  CompiledProgram(const std::string& command, const std::string& name, const std::string& source);
  ~CompiledProgram();
  CompiledProgram(const CompiledProgram&) = delete;
  CompiledProgram& operator=(const CompiledProgram&) = delete;

  std::string path() const { return (folder_ / "program").string(); }
  std::filesystem::path source() const { return source_; }
  // By its demangled name.
  Symbol symbol(const std::string& name) const;
  // As a module that was loaded at `base`.
  MappedModule mapped_at(std::uint64_t base) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path source_;
  std::map<std::string, Symbol> symbols_;
};

}  // namespace heddle
