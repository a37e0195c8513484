// An event in the words that findings use: the same in every run of a program, whatever numbers
// its objects have there.
#pragma once

#include <string>
#include <vector>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

// Heap blocks come and go where their thread is on its way to its next operation: the runtime
// lets nobody else go on there, so they are no steps of a schedule.
constexpr bool is_heap(EventKind kind) {
  return kind == EventKind::alloc || kind == EventKind::free;
}

// "write balance", "acquire total_lock", "end".
std::string operation_in_words(const Tables& tables, EventKind kind, std::uint32_t object);
std::string operation_in_words(const Tables& tables, const EventRecord& event);

// "-60": values are kept without their type; one whose highest bit is set is far more often a
// negative number than one beyond half of its range.
std::string value_in_words(const Tables& tables, const EventRecord& event, std::uint64_t value);

// "bank.cpp:12": where in the program's own code, not in a library's; "?" when unknown.
std::string place_in_words(const Tables& tables, SiteId site);

// The calls that led to a place, innermost first: "deposit(int, long)  bank.cpp:14".
std::vector<std::string> stack_in_words(const Tables& tables, SiteId site);

// Both: "write balance at bank.cpp:12". What a schedule expects.
std::string step_in_words(const Tables& tables, const EventRecord& event);
std::string step_in_words(const std::string& operation, const std::string& place);

}  // namespace heddle
