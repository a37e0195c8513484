#include "check/minimise.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

constexpr std::size_t kMostSteps = 2'000;  // longer schedules stay as they are

using Steps = std::vector<std::size_t>;  // of the finding's schedule
using Block = Steps;                     // of one thread
using Blocks = std::vector<Block>;

// "acquire total_lock at bank.cpp:12" is an acquire, about total_lock.
struct Words {
  std::string_view verb;
  std::string_view object;
};

Words words_of(std::string_view operation) {
  operation = operation.substr(0, operation.rfind(" at "));
  const std::size_t space = operation.find(' ');
  if (space == std::string_view::npos) return {operation, {}};
  return {operation.substr(0, space), operation.substr(space + 1)};
}

bool only_reads(std::string_view verb) { return verb == "read" || verb == "atomic-read"; }

class Minimiser {
 public:
  Minimiser(const Finding& finding, std::size_t most_replays, const Shows& shows)
      : finding_(finding), left_(most_replays), shows_(shows) {
    for (const ScheduleStep& step : finding.schedule)
      words_.push_back(heddle::words_of(step.operation));
    for (std::size_t i = 0; i < finding.schedule.size(); ++i) steps_.push_back(i);
    for (const FindingEvent& event : finding.events) {
      if (next_.empty() && !event.step) next_ = event.thread;
    }
  }

  Finding run() {
    if (!keep_if_shown(with_moves_that_change_nothing())) steps_ = all_steps();
    while (left_ > 0 && try_moves()) {
    }
    for (const std::uint32_t thread : idle_threads()) try_without(thread);
    return made_of(steps_);
  }

 private:
  std::uint32_t thread_of(std::size_t step) const { return finding_.schedule[step].thread; }
  std::uint32_t thread_of(const Block& block) const { return thread_of(block.front()); }

  Steps all_steps() const {
    Steps all;
    for (std::size_t i = 0; i < finding_.schedule.size(); ++i) all.push_back(i);
    return all;
  }

  Blocks blocks_of(const Steps& steps) const {
    Blocks blocks;
    for (const std::size_t step : steps) {
      const bool same = !blocks.empty() && thread_of(blocks.back()) == thread_of(step);
      same ? blocks.back().push_back(step) : blocks.push_back({step});
    }
    return blocks;
  }

  static Steps joined(const Blocks& blocks) {
    Steps steps;
    for (const Block& block : blocks) steps.insert(steps.end(), block.begin(), block.end());
    return steps;
  }

  // The next block of the same thread; none: there is no other.
  std::optional<std::size_t> next_of(const Blocks& blocks, std::size_t i) const {
    for (std::size_t j = i + 1; j < blocks.size(); ++j) {
      if (thread_of(blocks[j]) == thread_of(blocks[i])) return j;
    }
    return std::nullopt;
  }

  // The block at `from` stands at `to` then; those between move over.
  static Blocks moved(Blocks blocks, std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t i) { return blocks.begin() + static_cast<std::ptrdiff_t>(i); };
    from < to ? std::rotate(at(from), at(from + 1), at(to + 1))
              : std::rotate(at(to), at(from), at(from + 1));
    return blocks;
  }

  // Both ways to bring the block and the next one of its thread together; and the last one of
  // the thread that goes on behind the schedule to the end.
  template <typename Visit>
  bool for_each_move(const Blocks& blocks, const Visit& visit) const {
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
      const bool goes_on = !next_of(blocks, i) && finding_.threads[thread_of(blocks[i])] == next_;
      if (goes_on && visit(i, blocks.size() - 1)) return true;
    }
    for (std::size_t i = blocks.size(); i-- > 0;) {
      const auto next = next_of(blocks, i);
      if (!next) continue;
      if (visit(i, *next - 1)) return true;
      if (*next + 1 < blocks.size() && visit(*next, i + 1)) return true;
    }
    return false;
  }

  // --- moves past what has nothing to do with the block -----------------------------------

  bool commute(std::size_t a, std::size_t b) const {
    const Words& one = words_[a];
    const Words& other = words_[b];
    if (one.object.empty() || other.object.empty())
      return one.verb == "begin" || other.verb == "begin";
    return one.object != other.object || (only_reads(one.verb) && only_reads(other.verb));
  }

  bool commute(const Block& one, const Block& other) const {
    return std::all_of(one.begin(), one.end(), [&](std::size_t a) {
      return std::all_of(other.begin(), other.end(), [&](std::size_t b) { return commute(a, b); });
    });
  }

  bool changes_nothing(const Blocks& blocks, std::size_t from, std::size_t to) const {
    for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
      if (i != from && !commute(blocks[from], blocks[i])) return false;
    }
    return true;
  }

  Steps with_moves_that_change_nothing() const {
    Steps steps = steps_;
    const auto improve = [&] {
      const Blocks blocks = blocks_of(steps);
      return for_each_move(blocks, [&](std::size_t from, std::size_t to) {
        if (!changes_nothing(blocks, from, to)) return false;
        Steps candidate = joined(moved(blocks, from, to));
        if (!can_run(candidate)) return false;
        steps = std::move(candidate);
        return true;
      });
    };
    while (improve()) {
    }
    return steps;
  }

  // --- moves that a replay has to decide on -----------------------------------------------

  // True: one was good, so there may be more.
  bool try_moves() {
    const Blocks blocks = blocks_of(steps_);
    return for_each_move(blocks, [&](std::size_t from, std::size_t to) {
      Steps candidate = joined(moved(blocks, from, to));
      return left_ > 0 && can_run(candidate) && keep_if_shown(std::move(candidate));
    });
  }

  std::vector<std::uint32_t> idle_threads() const {
    std::set<std::string> named;
    for (const FindingEvent& event : finding_.events) named.insert(event.thread);
    std::vector<std::uint32_t> idle;
    for (std::uint32_t thread = 0; thread < finding_.threads.size(); ++thread) {
      if (!named.contains(finding_.threads[thread])) idle.push_back(thread);
    }
    return idle;
  }

  // None of its steps; else the first half of them.
  void try_without(std::uint32_t thread) {
    const auto count = std::count_if(steps_.begin(), steps_.end(),
                                     [&](std::size_t step) { return thread_of(step) == thread; });
    for (const std::ptrdiff_t kept : {std::ptrdiff_t{0}, count / 2}) {
      if (left_ == 0 || kept == count) return;
      Steps candidate = without(thread, kept);
      if (can_run(candidate) && keep_if_shown(std::move(candidate))) return;
    }
  }

  Steps without(std::uint32_t thread, std::ptrdiff_t kept) const {
    Steps steps;
    for (const std::size_t step : steps_) {
      if (thread_of(step) != thread || kept-- > 0) steps.push_back(step);
    }
    return steps;
  }

  bool keep_if_shown(Steps candidate) {
    if (candidate == steps_) return true;
    if (candidate.empty() || left_ == 0) return false;
    --left_;
    if (!shows_(made_of(candidate))) return false;
    steps_ = std::move(candidate);
    return true;
  }

  // --- whether an order can be at all, as far as words tell -------------------------------

  // Threads begin after their fork, are joined after their end, and locks have one holder.
  bool can_run(const Steps& steps) const {
    std::map<std::string_view, std::size_t> forked_at, ended_at;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (words_[steps[at]].verb == "fork") forked_at[words_[steps[at]].object] = at;
      if (words_[steps[at]].verb == "end") ended_at[finding_.threads[thread_of(steps[at])]] = at;
    }
    for (std::size_t at = 0; at < steps.size(); ++at) {
      const auto fork = forked_at.find(finding_.threads[thread_of(steps[at])]);
      if (fork != forked_at.end() && fork->second > at) return false;
      if (words_[steps[at]].verb != "join") continue;
      const auto end = ended_at.find(words_[steps[at]].object);
      if (end == ended_at.end() || end->second > at) return false;
    }
    return locks_can_be_taken(steps);
  }

  bool locks_can_be_taken(const Steps& steps) const {
    std::map<std::string_view, std::uint32_t> holder;
    for (const std::size_t step : steps) {
      const Words& words = words_[step];
      if (words.verb == "release" || words.verb == "wait") holder.erase(words.object);
      if (words.verb == "wait") holder.clear();  // which lock it gives up is not said
      if (words.verb != "acquire") continue;
      const auto [held, free] = holder.emplace(words.object, thread_of(step));
      if (!free && held->second != thread_of(step)) return false;
    }
    return true;
  }

  // --- back to a finding ------------------------------------------------------------------

  Finding made_of(const Steps& steps) const {
    Finding made = finding_;
    made.threads.clear();
    made.schedule.clear();
    for (const std::size_t step : steps) {
      const ScheduleStep& old = finding_.schedule[step];
      made.add_step(finding_.threads[old.thread], old.choice, old.operation);
    }
    for (FindingEvent& event : made.events) renumber(steps, event);
    order_threads(steps, std::get<ProgramSubject>(made.subject));
    return made;
  }

  static void renumber(const Steps& steps, FindingEvent& event) {
    if (!event.step) return;
    const auto at = std::find(steps.begin(), steps.end(), *event.step - 1);
    event.step = static_cast<std::uint64_t>(at - steps.begin()) + 1;
  }

  // In the order in which the schedule creates them.
  void order_threads(const Steps& steps, ProgramSubject& program) const {
    std::vector<std::string> threads(program.threads.begin(), program.threads.begin() + 1);
    for (const std::size_t step : steps) {
      if (words_[step].verb == "fork") threads.emplace_back(words_[step].object);
    }
    program.threads = std::move(threads);
  }

  const Finding& finding_;
  std::size_t left_;  // replays
  const Shows& shows_;
  std::vector<Words> words_;  // of the schedule's steps
  std::string next_;          // the thread whose step comes next; empty: the last step is it
  Steps steps_;               // the best so far
};

bool says_every_step(const Finding& finding) {
  return std::none_of(finding.schedule.begin(), finding.schedule.end(),
                      [](const ScheduleStep& step) { return step.operation.empty(); });
}

}  // namespace

Finding minimised(const Finding& finding, std::size_t most_replays, const Shows& shows) {
  const auto* const program = std::get_if<ProgramSubject>(&finding.subject);
  const bool fits = program != nullptr && !program->threads.empty() &&
                    finding.schedule.size() <= kMostSteps && says_every_step(finding);
  return fits ? Minimiser(finding, most_replays, shows).run() : finding;
}

std::size_t switches_of(const Finding& finding) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < finding.schedule.size(); ++i) {
    count += finding.schedule[i].thread != finding.schedule[i - 1].thread ? 1 : 0;
  }
  return count;
}

}  // namespace heddle
