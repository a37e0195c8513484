// What a run's addresses are called in the source, for the tables of its trace.
//
// Debug information is read when a module is first asked about, once per module, and only of
// modules that are instrumented; data of others may have a name of the linker's. Nothing here
// depends on where modules lie or from where the program was started: files are named relative
// to the folder that holds the program's sources, if they are in it, and as the compiler knew
// them otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/program.h"

namespace heddle {

// Whether a name says how far into something it is: "balance +4".
bool is_part_only(std::string_view name);

class SourceNames {
 public:
  // The memory [low, high) of an executable or shared library; the first is the program.
  void add_module(std::uint64_t low, std::uint64_t high, const std::string& path);

  // The source of an instruction, innermost frame first; empty if it is not known.
  std::span<const SourceFrame> frames_at(std::uint64_t address);
  // "accounts[3].balance", "std::cout +8", or empty.
  std::string data_name(std::uint64_t address, std::uint32_t size);
  // The variable on a stack at `address`, while the frame's function is at `pc`.
  LocalName local_name(const StackFrame& frame, std::uint64_t pc, std::uint64_t address,
                       std::uint32_t size) {
    return program_.local_name(frame, pc, address, size);
  }
  // The thread-local variable `offset` bytes into a thread's copy of those of the module that lies
  // at `module`; empty if there is none.
  std::string thread_local_name(std::uint64_t module, std::uint64_t offset, std::uint32_t size);
  // The same for all of an object of which only the address is known: `sizes` are those that
  // it may have.
  std::string object_name(std::uint64_t address, std::span<const std::uint32_t> sizes);

  // The address as the linker made it.
  std::uint64_t linked_address(std::uint64_t address) const;
  // "src/bank.cpp" for a file of the program's.
  std::string short_name(std::string_view file);
  // Where those files are; empty if nothing is known about them.
  const std::string& source_folder();
  // An event comes from there, and its line is not known.
  void note_missing_lines(std::uint64_t address);
  // What is not known, and what of the program's code is not seen, a line each.
  std::vector<std::string> unseen();

 private:
  NativeProgram program_;
  std::optional<std::string> source_folder_;
  std::map<std::size_t, std::string> problems_;  // by module: why it has no lines
};

}  // namespace heddle
