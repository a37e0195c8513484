#include "native/locals.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <elfutils/libdw.h>
#include <fmt/format.h>

#include "native/dwarf_entry.h"

namespace heddle {
namespace {

// The numbers of DWARF for registers of this machine.
constexpr std::uint64_t kFramePointer = 6;
constexpr std::uint64_t kStackPointer = 7;

struct Free {
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

bool is_variable(int tag) { return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter; }

bool is_inner_scope(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

}  // namespace

bool LocalTable::contains(const std::vector<CodeRange>& ranges, std::uint64_t pc) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& range) { return pc >= range.start && pc < range.end; });
}

std::vector<LocalTable::CodeRange> LocalTable::ranges_of(Dwarf_Die entry) {
  std::vector<CodeRange> ranges;
  for_each_range(entry, [&](std::uint64_t start, std::uint64_t end) {
    ranges.push_back({start, end});
  });
  return ranges;
}

// Functions can be inside of classes, and of functions (those of local classes and lambdas).
void LocalTable::collect_functions(Dwarf_Die scope, std::vector<FunctionRange>& ranges) {
  for_each_child(scope, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_subprogram) {
      for (const CodeRange& range : ranges_of(child)) {
        ranges.push_back({range, functions_.size()});
      }
      functions_.push_back({child, false, {}});
    }
    if (dwarf_haschildren(&child) > 0) collect_functions(child, ranges);
  });
}

LocalTable::Function* LocalTable::function_at(std::uint64_t pc) {
  const auto unit = code_->unit_at(pc);
  if (!unit) return nullptr;
  const auto [known, is_new] = by_unit_.try_emplace(*unit);
  std::vector<FunctionRange>& ranges = known->second;
  if (is_new) collect_functions(code_->unit_entry(*unit), ranges);
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const FunctionRange& each) {
    return pc >= each.range.start && pc < each.range.end;
  });
  if (found == ranges.end()) return nullptr;
  Function& function = functions_[found->function];
  if (!function.read) {
    function.read = true;
    read_scope(function.entry,
               {frame_base_of(function.entry), scoped_function_name(function.entry),
                ranges_of(function.entry), 0},
               function);
  }
  return &function;
}

std::optional<LocalTable::Place> LocalTable::numbered_register(const Dwarf_Op& operation) {
  const auto offset = static_cast<std::int64_t>(operation.number2);
  if (operation.number == kFramePointer) return Place{Base::frame_pointer, offset};
  if (operation.number == kStackPointer) return Place{Base::stack_pointer, offset};
  return std::nullopt;
}

std::optional<LocalTable::Place> LocalTable::register_place(const Dwarf_Op& operation) {
  const auto offset = static_cast<std::int64_t>(operation.number);
  if (operation.atom == DW_OP_bregx) return numbered_register(operation);
  switch (operation.atom) {
    case DW_OP_call_frame_cfa: return Place{Base::frame_end, 0};
    case DW_OP_reg0 + kFramePointer: return Place{Base::frame_pointer, 0};
    case DW_OP_reg0 + kStackPointer: return Place{Base::stack_pointer, 0};
    case DW_OP_breg0 + kFramePointer: return Place{Base::frame_pointer, offset};
    case DW_OP_breg0 + kStackPointer: return Place{Base::stack_pointer, offset};
    default: return std::nullopt;
  }
}

std::optional<LocalTable::Place> LocalTable::frame_base_of(Dwarf_Die function) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&function, DW_AT_frame_base, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  return register_place(operations[0]);
}

// What is in a register or a constant, is in pieces, or is found by a pointer, has no place.
std::optional<LocalTable::Place> LocalTable::place_in(const Dwarf_Op* operations, std::size_t count,
                                                      const std::optional<Place>& frame_base) {
  if (count != 1) return std::nullopt;
  const std::uint8_t atom = operations[0].atom;
  if (atom == DW_OP_fbreg && frame_base) {
    const auto offset = static_cast<std::int64_t>(operations[0].number);
    return Place{frame_base->base, frame_base->offset + offset};
  }
  const bool in_memory = atom == DW_OP_breg0 + kFramePointer || atom == DW_OP_breg0 + kStackPointer;
  return in_memory ? register_place(operations[0]) : std::nullopt;
}

void LocalTable::read_scope(Dwarf_Die entry, const Scope& scope, Function& function) {
  for_each_child(entry, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (is_variable(tag)) read_variable(child, scope, function);
    if (!is_inner_scope(tag)) return;
    const std::string name =
        tag == DW_TAG_inlined_subroutine ? scoped_function_name(child) : scope.function;
    read_scope(child, {scope.frame_base, name, ranges_of(child), scope.depth + 1}, function);
  });
}

void LocalTable::read_variable(Dwarf_Die entry, const Scope& scope, Function& function) {
  Dwarf_Attribute attribute;
  const std::string name = plain_name(entry);
  if (name.empty() || dwarf_attr(&entry, DW_AT_location, &attribute) == nullptr) return;
  Dwarf_Addr base = 0, start = 0, end = 0;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  for (std::ptrdiff_t at = 0;
       (at = dwarf_getlocations(&attribute, at, &base, &start, &end, &operations, &count)) > 0;) {
    const auto place = place_in(operations, count, scope.frame_base);
    if (!place) continue;
    const TypeId type = type_reader_.type_of(entry);
    const bool always = start == 0 && end == ~Dwarf_Addr{0};
    function.locals.push_back({*place, types_[type].size, type, entry.addr, name, scope.function,
                               scope.depth, always,
                               always ? scope.ranges : std::vector<CodeRange>{{start, end}}});
  }
}

std::optional<std::uint64_t> LocalTable::end_of(const StackFrame& frame) const {
  Dwarf_Frame* unwound = nullptr;
  if (call_frames_ == nullptr || dwarf_cfi_addrframe(call_frames_, frame.entry, &unwound) != 0) {
    return std::nullopt;
  }
  const std::unique_ptr<Dwarf_Frame, Free> owned(unwound);
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(unwound, &operations, &count) != 0 || count != 1) return std::nullopt;
  const auto place = register_place(operations[0]);
  if (!place || place->base == Base::frame_end) return std::nullopt;
  return address_of({frame, std::nullopt}, *place);
}

std::optional<std::uint64_t> LocalTable::address_of(const Bases& bases, const Place& place) {
  const auto offset = static_cast<std::uint64_t>(place.offset);
  if (place.base == Base::stack_pointer) return bases.frame.stack_pointer + offset;
  if (place.base == Base::frame_pointer) return bases.frame.frame_pointer + offset;
  return bases.end ? std::optional(*bases.end + offset) : std::nullopt;
}

// An access that goes beyond the variable is to something else: a temporary object in its place.
bool LocalTable::holds(const Local& local, std::uint64_t offset, std::uint64_t size) {
  return offset < std::max<std::uint64_t>(local.size, 1) &&
         (local.size == 0 || size <= local.size - offset);
}

std::vector<const LocalTable::Local*> LocalTable::all_at(const Function& function,
                                                         const Bases& bases, std::uint64_t address,
                                                         std::uint64_t size) {
  std::vector<const Local*> found;
  for (const Local& local : function.locals) {
    const auto start = address_of(bases, local.place);
    if (!start || !holds(local, address - *start, size)) continue;
    if (!found.empty() && found.back()->always && !local.always) continue;
    if (!found.empty() && !found.back()->always && local.always) found.clear();
    found.push_back(&local);
  }
  return found;
}

const LocalTable::Local* LocalTable::innermost_at(const std::vector<const Local*>& locals,
                                                  std::uint64_t pc) {
  const Local* best = nullptr;
  for (const Local* const local : locals) {
    if (!contains(local->ranges, pc)) continue;
    if (best == nullptr || local->depth > best->depth) best = local;
  }
  return best;
}

LocalName LocalTable::at(const StackFrame& frame, std::uint64_t pc, std::uint64_t address,
                         std::uint64_t size) {
  const Function* const function = function_at(frame.entry);
  if (function == nullptr) return {};
  const Bases bases = {frame, end_of(frame)};
  const std::vector<const Local*> all = all_at(*function, bases, address, size);
  const bool certain = std::all_of(all.begin(), all.end(), [&](const Local* local) {
    return local->variable == all.front()->variable;
  });
  const Local* const local = certain && !all.empty() ? all.front() : innermost_at(all, pc);
  if (local == nullptr) return {"", "", certain};
  const std::uint64_t offset = address - address_of(bases, local->place).value_or(address);
  return {fmt::format("{}{}", local->name, name_of(types_, local->type, offset, size)),
          local->function, certain};
}

}  // namespace heddle
