// Variables on a stack: which variable of a function lies at an address of one of its frames.
//
// DWARF says where a variable lies by the distance from the function's frame base: from a
// register (which one depends on the compiler and its options), or from the address that the
// stack pointer had before the call (the CFA), which the tables for unwinding derive from a
// register. Two registers, noted when the function was entered, are therefore enough.
//
// Variables of blocks that are never alive together may share their place. Then the
// instruction that the function is at decides; where that does not help, there is no answer.
// One that is in memory for some instructions only (a list of locations) may be a copy that the
// compiler knows to be equal, so it comes after those that are there for all of their scope.
// A function's variables are read when its first frame is asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <elfutils/libdw.h>

#include "native/code.h"
#include "native/type_reader.h"

namespace heddle {

// A call of a function that is going on.
struct StackFrame {
  std::uint64_t entry = 0;          // an instruction behind its prologue, where it had these:
  std::uint64_t stack_pointer = 0;  // rsp
  std::uint64_t frame_pointer = 0;  // rbp, whatever that is used for
};

struct LocalName {
  std::string part;      // "accounts[3].balance"; empty if there is nothing with a name
  std::string function;  // "main"; of an inlined call, that function
  bool certain = true;   // as long as the frame is there; otherwise it depends on the instruction
};

class LocalTable {
 public:
  // `code` and `frames`, which may be null, are of the same file.
  LocalTable(Dwarf* dwarf, Dwarf_CFI* frames, CodeTable& code)
      : call_frames_(frames), code_(&code), type_reader_(dwarf, types_) {}
  LocalTable(const LocalTable&) = delete;
  LocalTable& operator=(const LocalTable&) = delete;

  // What the `size` bytes at `address`, which is one of memory, are while the frame's function
  // is at `pc`. Addresses of code are those in the file.
  LocalName at(const StackFrame& frame, std::uint64_t pc, std::uint64_t address,
               std::uint64_t size);
  // Where the frame ends: what lies there and above belongs to its callers.
  std::optional<std::uint64_t> end_of(const StackFrame& frame) const;

 private:
  enum class Base { stack_pointer, frame_pointer, frame_end };
  struct Place {
    Base base = Base::frame_end;
    std::int64_t offset = 0;
  };
  struct CodeRange {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
  };
  // Where one variable lies, at least while the function is in `ranges`.
  struct Local {
    Place place;
    std::uint64_t size = 0;
    TypeId type;
    const void* variable = nullptr;  // the same for all its places
    std::string name;
    std::string function;
    int depth = 0;        // of its scope
    bool always = false;  // there as long as its scope lasts
    std::vector<CodeRange> ranges;
  };
  struct Function {
    Dwarf_Die entry;
    bool read = false;
    std::vector<Local> locals;
  };
  struct FunctionRange {
    CodeRange range;
    std::size_t function = 0;
  };
  // Where the function's variables stand that is being read.
  struct Scope {
    std::optional<Place> frame_base;
    std::string function;
    std::vector<CodeRange> ranges;
    int depth = 0;
  };

  Function* function_at(std::uint64_t pc);
  void collect_functions(Dwarf_Die scope, std::vector<FunctionRange>& ranges);
  static bool contains(const std::vector<CodeRange>& ranges, std::uint64_t pc);
  static std::vector<CodeRange> ranges_of(Dwarf_Die entry);
  static std::optional<Place> numbered_register(const Dwarf_Op& operation);
  static std::optional<Place> register_place(const Dwarf_Op& operation);
  static std::optional<Place> frame_base_of(Dwarf_Die function);
  static std::optional<Place> place_in(const Dwarf_Op* operations, std::size_t count,
                                       const std::optional<Place>& frame_base);
  void read_scope(Dwarf_Die entry, const Scope& scope, Function& function);
  void read_variable(Dwarf_Die entry, const Scope& scope, Function& function);
  // The bases of a frame: as its registers say, and its end.
  struct Bases {
    StackFrame frame;
    std::optional<std::uint64_t> end;
  };
  static std::optional<std::uint64_t> address_of(const Bases& bases, const Place& place);
  static std::vector<const Local*> all_at(const Function& function, const Bases& bases,
                                          std::uint64_t address, std::uint64_t size);
  static bool holds(const Local& local, std::uint64_t offset, std::uint64_t size);
  static const Local* innermost_at(const std::vector<const Local*>& locals, std::uint64_t pc);

  Dwarf_CFI* call_frames_;
  CodeTable* code_;
  TypeTable types_;
  TypeReader type_reader_;
  std::vector<Function> functions_;
  absl::flat_hash_map<std::size_t, std::vector<FunctionRange>> by_unit_;
};

}  // namespace heddle
