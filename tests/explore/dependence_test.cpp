// Every cell of the dependence table, by executing both orders.
//
// Each type of object is a small machine: a set of states, and what an access of a thread
// does in a state (nothing, if it cannot happen there), with what the thread sees. For a
// pair of accesses of two threads, in every state:
//   free       whenever one order is possible so is the other, with the same result;
//   otherwise  some state tells the orders apart;
//   enabled    the later one is never possible before the earlier one where it follows it.
#include "explore/dependence.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

// The state after an access, and what the thread saw.
struct After {
  std::string state;
  std::string seen;
};
using Machine =
    std::function<std::optional<After>(const std::string& state, EventKind, char thread)>;

struct ObjectMachine {
  std::string name;
  std::vector<EventKind> kinds;
  std::vector<std::string> states;
  Machine apply;
};

using K = EventKind;

std::optional<After> changed(const std::string& state) { return After{state, ""}; }

// One value, 0 or 1; thread a writes 0, thread b writes 1, so that their order shows.
std::optional<After> memory(const std::string& state, K kind, char thread) {
  const std::string written = thread == 'a' ? "0" : "1";
  if (kind == K::read || kind == K::atomic_read) return After{state, state};
  if (kind == K::atomic_rmw) return After{written, state};
  return changed(written);
}

// "W" and the writer, or the readers in order: "Wa", "bc", "".
std::optional<After> lock(const std::string& state, K kind, char thread) {
  const bool writer = state.starts_with("W");
  const std::string mine = std::string("W") + thread;
  const bool reads = !writer && state.find(thread) != std::string::npos;
  switch (kind) {
    case K::acquire: return state.empty() ? changed(mine) : std::nullopt;
    case K::release: return state == mine ? changed("") : std::nullopt;
    case K::reader_acquire: {
      if (writer || reads) return std::nullopt;
      std::string readers = state + thread;
      std::sort(readers.begin(), readers.end());
      return changed(readers);
    }
    case K::reader_release: {
      if (!reads) return std::nullopt;
      std::string readers = state;
      std::erase(readers, thread);
      return changed(readers);
    }
    case K::failed_acquire: return state.empty() ? std::nullopt : changed(state);
    default: return writer ? changed(state) : std::nullopt;  // failed_reader_acquire
  }
}

// Waiters (letters) and tokens (*) in the order in which they came; a token is for
// waiters before it. Neighbouring waiters are kept in alphabetical order.
std::string tidy(std::string state) {
  for (auto at = state.begin(); at != state.end();) {
    const auto end = std::find(at, state.end(), '*');
    std::sort(at, end);
    at = end == state.end() ? end : end + 1;
  }
  return state;
}

std::optional<After> condition(const std::string& state, K kind, char thread) {
  const std::size_t place = state.find(thread);
  const auto tokens = static_cast<std::size_t>(std::count(state.begin(), state.end(), '*'));
  const std::size_t waiters = state.size() - tokens;
  std::string next = state;
  switch (kind) {
    case K::wait: return place == std::string::npos ? changed(tidy(state + thread)) : std::nullopt;
    case K::wake: {
      if (place == std::string::npos) return std::nullopt;
      const std::size_t token = state.find('*', place);
      if (token == std::string::npos) return std::nullopt;
      next.erase(token, 1).erase(place, 1);
      return changed(tidy(next));
    }
    case K::timeout:  // only of a thread that cannot have been notified
      if (place == std::string::npos || waiters <= tokens) return std::nullopt;
      if (state.find('*', place) != std::string::npos) return std::nullopt;
      next.erase(place, 1);
      return changed(tidy(next));
    default:
      for (std::size_t n = tokens; n < waiters; ++n) {
        next += '*';
        if (kind == K::notify) break;
      }
      return changed(tidy(next));
  }
}

std::optional<After> semaphore(const std::string& state, K kind, char) {
  switch (kind) {
    case K::semaphore_post: return changed(state + "1");
    case K::semaphore_wait: return state.empty() ? std::nullopt : changed(state.substr(1));
    default: return state.empty() ? changed(state) : std::nullopt;
  }
}

const std::vector<ObjectMachine>& machines() {
  static const std::vector<ObjectMachine> all = {
      {"memory",
       {K::read, K::write, K::atomic_read, K::atomic_write, K::atomic_rmw},
       {"0", "1"},
       memory},
      {"lock",
       {K::acquire, K::release, K::reader_acquire, K::reader_release, K::failed_acquire,
        K::failed_reader_acquire},
       {"", "Wa", "Wb", "Wc", "a", "b", "c", "ab", "ac", "bc", "abc"},
       lock},
      {"condition",
       {K::wait, K::wake, K::notify, K::notify_all},
       {"",    "a",    "b",    "c",    "ab",   "ac",   "bc",   "abc",   "a*",
        "b*",  "c*",   "ab*",  "ac*",  "bc*",  "abc*", "ab**", "abc**", "a*b",
        "b*a", "c*ab", "a*bc", "b*ac", "a*b*", "b*a*", "c*ab*"},
       condition},
      {"semaphore",
       {K::semaphore_post, K::semaphore_wait, K::failed_semaphore_wait},
       {"", "1", "11"},
       semaphore},
  };
  return all;
}

// The state and what both saw, when `first` of thread p is followed by `second` of q.
std::optional<std::string> in_order(const ObjectMachine& machine, const std::string& state,
                                    EventKind first, char p, EventKind second, char q) {
  const auto middle = machine.apply(state, first, p);
  if (!middle) return std::nullopt;
  const auto last = machine.apply(middle->state, second, q);
  if (!last) return std::nullopt;
  return p < q ? fmt::format("{}|{}|{}", last->state, middle->seen, last->seen)
               : fmt::format("{}|{}|{}", last->state, last->seen, middle->seen);
}

struct Verdict {
  bool told_apart = false;      // some state tells the orders apart
  bool later_possible = false;  // the later one is possible where the earlier one is
};

Verdict try_both_orders(const ObjectMachine& machine, EventKind earlier, EventKind later) {
  Verdict verdict;
  for (const std::string& state : machine.states) {
    for (const auto& [p, q] : {std::pair('a', 'b'), std::pair('b', 'a')}) {
      const auto one = in_order(machine, state, earlier, p, later, q);
      const auto other = in_order(machine, state, later, q, earlier, p);
      const bool both = machine.apply(state, earlier, p) && machine.apply(state, later, q);
      if (one != other || (both && (!one || !other))) verdict.told_apart = true;
      if (one && machine.apply(state, later, q)) verdict.later_possible = true;
    }
  }
  return verdict;
}

TEST(Dependence, EachCellIsWhatBothOrdersShow) {
  for (const ObjectMachine& machine : machines()) {
    for (const EventKind earlier : machine.kinds) {
      for (const EventKind later : machine.kinds) {
        const Verdict verdict = try_both_orders(machine, earlier, later);
        const Order order = order_of(earlier, later);
        const std::string cell =
            fmt::format("{}: {}, {}", machine.name, name_of(earlier), name_of(later));
        EXPECT_FALSE(verdict.told_apart && order == Order::free) << cell;
        EXPECT_FALSE(verdict.later_possible && order == Order::enabled) << cell;
        EXPECT_FALSE(!verdict.later_possible && order == Order::tentative) << cell;
      }
    }
  }
}

// Only where the two can never be possible at the same time does it not matter.
TEST(Dependence, IsNotClaimedWithoutNeed) {
  std::set<std::string> needless;
  for (const ObjectMachine& machine : machines()) {
    for (const EventKind a : machine.kinds) {
      for (const EventKind b : machine.kinds) {
        const bool told_apart =
            try_both_orders(machine, a, b).told_apart || try_both_orders(machine, b, a).told_apart;
        if (!told_apart && order_of(a, b) != Order::free) {
          needless.insert(fmt::format("{}, {}", name_of(a), name_of(b)));
        }
      }
    }
  }
  const std::set<std::string> never_together = {"release, release", "release, reader-release",
                                                "reader-release, release"};
  EXPECT_EQ(needless, never_together);
}

TEST(Dependence, OfATryIsARace) {
  const Access release{EventKind::release, SystemObject(0)};
  const Access acquire{EventKind::acquire, SystemObject(0)};
  const Access tried{EventKind::acquire, SystemObject(0), true};
  EXPECT_EQ(order_of(release, acquire), Order::enabled);
  EXPECT_EQ(order_of(release, tried), Order::raced);
}

TEST(Dependence, NeedsACommonObject) {
  const std::vector<Access> write_x = {{EventKind::write, SystemObject(0)}};
  const std::vector<Access> write_y = {{EventKind::write, SystemObject(1)}};
  const std::vector<Access> copy = {{EventKind::read, SystemObject(0)},
                                    {EventKind::write, SystemObject(1)}};
  EXPECT_FALSE(dependent(write_x, write_y));
  EXPECT_TRUE(dependent(write_x, copy));
  EXPECT_TRUE(dependent(copy, copy));
}

}  // namespace
}  // namespace heddle
