// A program as it was loaded: its modules, and what their addresses mean in the source.
//
// Give the list of mapped modules; debug information is read when it is first asked for, and
// every answer is kept, so that asking for the same address again costs one hash look-up.
// Not for use by several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/result.h"
#include "native/code.h"
#include "native/locals.h"
#include "native/variables.h"

namespace heddle {

struct MappedModule {
  std::string path;
  std::string build_id;     // as recorded; empty if not known
  std::uint64_t base = 0;   // what is added to addresses in the file (the load bias)
  std::uint64_t start = 0;  // the memory that it takes up: [start, end)
  std::uint64_t end = 0;
  bool has_source = true;  // false: code of others, whose debug information is not wanted
};

class NativeProgram {
 public:
  explicit NativeProgram(std::vector<MappedModule> modules = {});
  ~NativeProgram();
  NativeProgram(NativeProgram&&) noexcept;
  NativeProgram& operator=(NativeProgram&&) noexcept;

  // A module that was loaded later (dlopen); it hides those that lay there before.
  void add(MappedModule module);

  // The source of an instruction, innermost frame first; empty if the debug information does
  // not say. For a return address ask for the byte before it, which belongs to the call.
  // An error: no module is there, its file has changed, or it has no debug information.
  Result<std::span<const SourceFrame>> frames_at(std::uint64_t address);

  // "accounts[3].balance" for an access of `size` bytes to a global or static variable;
  // empty if no variable of a name is there.
  Result<std::string_view> data_name(std::uint64_t address, std::uint64_t size);

  // The same for `offset` bytes into a thread's copy of the module's thread-local variables.
  Result<std::string_view> thread_local_name(std::size_t module, std::uint64_t offset,
                                             std::uint64_t size);

  // The variable on a stack at `address`, while the frame's function is at `pc`.
  LocalName local_name(const StackFrame& frame, std::uint64_t pc, std::uint64_t address,
                       std::uint64_t size);
  // Where the frame ends, as far as that is known.
  std::optional<std::uint64_t> frame_end(const StackFrame& frame);

  // "std::cout +8": the linker's name for an address, made readable; needs no debug
  // information. Empty if no symbol is there.
  Result<std::string> symbol_name(std::uint64_t address);

  // The innermost folder that all sources of the module are in, as the compiler saw them.
  Result<std::string> source_folder(std::size_t module);

  std::span<const MappedModule> modules() const;
  // The module that takes up this address.
  std::optional<std::size_t> module_at(std::uint64_t address) const;
  // The module's variables and their types, for name_of().
  Result<const VariableTable*> variables(std::size_t module);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle
