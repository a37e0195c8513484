#include "report/kind_words.h"

#include <array>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::array<KindWords, kFindingKindNames.size()> kWords = {{
    {"failed assertion", "An assertion fails in an interleaving that the program allows.",
     "Something that the assertion relies on is checked in one critical section and used in "
     "another: make the two one."},
    {"value out of range", "A variable or an index leaves its range.",
     "Check the bound and use the index under the same lock."},
    {"misuse of a primitive", "A lock, condition or thread is used in a way that has no meaning.",
     "Let a guard object (std::lock_guard, std::jthread) pair what belongs together."},
    {"deadlock", "Threads wait for each other, and none of them can go on.",
     "Take the locks in the same order everywhere, or together with std::scoped_lock."},
    {"livelock", "A thread spins for ever on something that nobody will change.",
     "Wait on a condition variable or std::atomic::wait, and see that the change is notified."},
    {"data race",
     "Two threads access the same memory at the same time, and at least one of them writes.",
     "Guard every access to it with the same lock, or make it std::atomic."},
    {"broken atomicity", "Another thread's access falls between two that belong together.",
     "Put both accesses into one critical section."},
    {"nondeterministic read", "A read can see another write than it did.",
     "If the result must not depend on the order of threads, join or synchronise before the "
     "read."},
    {"crash", "The program dies in an interleaving that it allows.",
     "Look at what the other threads freed or changed just before, and at the lock that should "
     "have kept them out."},
    {"exit status", "The program ends with another status than 0 in an interleaving.",
     "Look for what the status depends on: a flag or a result that another thread writes."},
    {"memory error", "Memory is freed twice, or used after it was freed.",
     "Let one owner free it when nobody uses it any more: std::shared_ptr, or a join before the "
     "free."},
}};

}  // namespace

const KindWords& words_of(FindingKind kind) { return kWords.at(static_cast<std::size_t>(kind)); }

std::string title_of(const Finding& finding) {
  const std::string_view title = words_of(finding.kind).title;
  if (finding.message.starts_with(title)) return finding.message;
  return fmt::format("{}: {}", title, finding.message);
}

// Who waits to be notified has no use for advice on locks.
std::string_view cure_of(const Finding& finding) {
  const bool unnotified = finding.kind == FindingKind::deadlock &&
                          finding.message.find("to be notified") != std::string::npos;
  if (!unnotified) return words_of(finding.kind).cure;
  return "Change what is waited for under the lock of the wait, look at it there before waiting, "
         "and notify after every change.";
}

}  // namespace heddle
