#include "record/stack_frames.h"

#include <fmt/format.h>

namespace heddle {

void StackFrames::clear(std::uint64_t low, std::uint64_t high) {
  ++changes_;
  calls_.erase(calls_.lower_bound(low), calls_.lower_bound(high));
}

// No call that is going on begins within the memory of another.
void StackFrames::add(ThreadId thread, const StackFrame& frame, std::uint32_t node,
                      std::uint64_t high) {
  clear(frame.stack_pointer, high);
  memory_->forget_locations(frame.stack_pointer, high);
  calls_[frame.stack_pointer] = {thread, frame, node, high, changes_, {}};
}

void StackFrames::clear_below(ThreadId thread, std::uint64_t high) {
  ++changes_;
  const auto end = calls_.lower_bound(high);
  auto first = end;
  while (first != calls_.begin() && std::prev(first)->second.thread == thread) {
    --first;
    memory_->forget_locations(first->first, std::min(first->second.high, high));
  }
  calls_.erase(first, end);
}

StackFrames::Call* StackFrames::call_at(std::uint64_t address) {
  auto after = calls_.upper_bound(address);
  if (after == calls_.begin()) return nullptr;
  --after;
  return address < after->second.high ? &after->second : nullptr;
}

std::uint64_t StackFrames::life_at(std::uint64_t address) {
  const Call* const call = call_at(address);
  return call != nullptr ? call->life : 0;
}

// The instruction that the call's function is at, if its thread has been heard of since.
std::uint64_t StackFrames::position_in(const Call& call) const {
  if (call.thread.value() >= positions_.size()) return call.frame.entry;
  const Position& position = positions_[call.thread.value()];
  const std::uint64_t pc = sites_->return_address(call.node, position.node, position.pc);
  return pc != 0 ? pc - 1 : call.frame.entry;
}

StringId StackFrames::text_of(const Call& call, const LocalName& name) {
  if (name.part.empty()) return StringId::none();
  const bool of_main = call.thread == ThreadId(0);
  return tables_->strings.intern(of_main ? fmt::format("{} in {}", name.part, name.function)
                                         : fmt::format("{} in {} of {}", name.part, name.function,
                                                       tables_->describe(call.thread)));
}

StackFrames::Name StackFrames::name_at(std::uint64_t address, std::uint32_t size) {
  Call* const call = call_at(address);
  if (call == nullptr) return {};
  const Place place = {address, position_in(*call), size};
  const auto known = call->uncertain.find(place);
  if (known != call->uncertain.end()) return {known->second, false};
  const LocalName name = names_->local_name(call->frame, place.pc, address, size);
  const StringId text = text_of(*call, name);
  if (!name.certain) call->uncertain.emplace(place, text);
  return {text, name.certain};
}

std::string StackFrames::object_name(std::uint64_t address, std::span<const std::uint32_t> sizes) {
  std::string best;
  for (const std::uint32_t size : sizes) {
    const StringId name = name_at(address, size).text;
    if (!name.valid()) continue;
    best = tables_->strings[name];
    if (!is_part_only(best)) break;
  }
  return best;
}

}  // namespace heddle
