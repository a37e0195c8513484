// The rules of a well-formed trace, each with its name and one sentence.
//
// To add a rule: add an enumerator, its row, the check in the state that it is about
// (well_formed.h), a tail for its sentence (explain_offence.cpp), what repair does about
// it (repair.cpp), and its paragraph in docs/well-formed.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

enum class Rule : std::uint8_t {
  undefined_object,
  invalid_detail,
  event_after_exit,
  event_after_end,
  event_after_join,
  event_while_waiting,
  event_inside_barrier,
  begin_not_first,
  second_begin,
  self_fork,
  second_fork,
  late_fork,
  self_join,
  join_of_blocked_thread,
  release_without_acquire,
  foreign_release,
  release_in_wrong_mode,
  reentrant_acquire,
  acquire_while_held,
  reader_event_on_plain_lock,
  failure_on_free_lock,
  wait_without_lock,
  wait_on_nested_lock,
  wake_without_wait,
  wake_without_notify,
  timeout_after_notify,
  semaphore_wait_at_zero,
  failure_on_positive_semaphore,
  leave_without_arrive,
  early_leave,
  wrong_serial_bit,
  once_already_running,
  once_already_done,
  once_end_without_begin,
  once_pass_before_done,
  late_alloc,
  second_alloc,
  access_after_free,
  second_free,
  value_without_writer,
};
inline constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::value_without_writer) + 1;

struct RuleInfo {
  Rule rule;
  std::string_view name;     // on the command line, in messages and JSON
  std::string_view meaning;  // what holds in a well-formed trace
};

inline constexpr std::array<RuleInfo, kRuleCount> kRules = {{
    {Rule::undefined_object, "undefined-object",
     "Every kind, thread, object, lock and site that an event names is defined."},
    {Rule::invalid_detail, "invalid-detail",
     "An event's memory order, or its tried or serial bit, is one that its kind can have."},
    {Rule::event_after_exit, "event-after-exit", "Nothing comes after the exit of the process."},
    {Rule::event_after_end, "event-after-end", "The end is the last event of its thread."},
    {Rule::event_after_join, "event-after-join", "A thread does nothing after it was joined."},
    {Rule::event_while_waiting, "event-while-waiting",
     "A thread that waits on a condition goes on by a wake or a timeout of that condition."},
    {Rule::event_inside_barrier, "event-inside-barrier",
     "A thread that arrived at a barrier goes on by leaving it."},
    {Rule::begin_not_first, "begin-not-first", "The begin is the first event of its thread."},
    {Rule::second_begin, "second-begin", "A thread begins once."},
    {Rule::self_fork, "self-fork", "No thread forks itself."},
    {Rule::second_fork, "second-fork", "A thread is forked once."},
    {Rule::late_fork, "late-fork",
     "A thread is forked before all of its events and before it is joined."},
    {Rule::self_join, "self-join", "No thread joins itself."},
    {Rule::join_of_blocked_thread, "join-of-blocked-thread",
     "A thread that waits on a condition or stands in a barrier cannot be joined."},
    {Rule::release_without_acquire, "release-without-acquire", "A lock that is released is held."},
    {Rule::foreign_release, "foreign-release", "A lock is released by the thread that holds it."},
    {Rule::release_in_wrong_mode, "release-in-wrong-mode",
     "A reader lock is released by a reader-release, a writer lock by a release."},
    {Rule::reentrant_acquire, "reentrant-acquire",
     "A thread does not acquire again what it holds, recursive locks and reader locks apart."},
    {Rule::acquire_while_held, "acquire-while-held",
     "A lock has one holder at a time, or several readers."},
    {Rule::reader_event_on_plain_lock, "reader-event-on-plain-lock",
     "Only readers-writer locks have readers."},
    {Rule::failure_on_free_lock, "failure-on-free-lock",
     "A try fails only when the lock could not be had."},
    {Rule::wait_without_lock, "wait-without-lock",
     "A thread that waits on a condition holds the lock that it gives up."},
    {Rule::wait_on_nested_lock, "wait-on-nested-lock",
     "A thread that waits on a condition holds the lock that it gives up only once."},
    {Rule::wake_without_wait, "wake-without-wait",
     "Only a thread that waits on the condition wakes or times out."},
    {Rule::wake_without_notify, "wake-without-notify",
     "A thread wakes only when a notify can have picked it."},
    {Rule::timeout_after_notify, "timeout-after-notify",
     "A wait times out only when no notify need have picked its thread."},
    {Rule::semaphore_wait_at_zero, "semaphore-wait-at-zero",
     "A semaphore is waited for successfully only while its count is above zero."},
    {Rule::failure_on_positive_semaphore, "failure-on-positive-semaphore",
     "A try to take a semaphore fails only while its count is zero."},
    {Rule::leave_without_arrive, "leave-without-arrive",
     "Only a thread that arrived at a barrier leaves it."},
    {Rule::early_leave, "early-leave", "A barrier is left only after all its parties arrived."},
    {Rule::wrong_serial_bit, "wrong-serial-bit",
     "The serial return value of a barrier goes to the last arriver of each generation, or to "
     "nobody at all."},
    {Rule::once_already_running, "once-already-running",
     "A once-initialiser runs in one thread at a time."},
    {Rule::once_already_done, "once-already-done",
     "A once-initialiser that came to its end does not run again."},
    {Rule::once_end_without_begin, "once-end-without-begin",
     "The thread that runs a once-initialiser ends or aborts it."},
    {Rule::once_pass_before_done, "once-pass-before-done",
     "A once-initialiser is passed by only after it came to its end."},
    {Rule::late_alloc, "late-alloc", "A region is allocated before it is accessed or freed."},
    {Rule::second_alloc, "second-alloc", "A region is allocated once."},
    {Rule::access_after_free, "access-after-free", "A region is not accessed after it was freed."},
    {Rule::second_free, "second-free", "A region is freed once."},
    {Rule::value_without_writer, "value-without-writer",
     "A read sees the value that its location holds: the last one written, or what other reads "
     "saw there since."},
}};

static_assert([] {
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (static_cast<std::size_t>(kRules[i].rule) != i) return false;
  }
  return true;
}());

constexpr const RuleInfo& info(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }
constexpr std::string_view name_of(Rule rule) { return info(rule).name; }

// The rule when it is broken, nothing when the condition that it asks for holds.
constexpr std::optional<Rule> broken_unless(bool condition, Rule rule) {
  return condition ? std::nullopt : std::optional(rule);
}

// An event that breaks a rule, and how: "T2 releases L, which T1 holds".
struct Offence {
  Rule rule;
  std::string explanation;
};

}  // namespace heddle
