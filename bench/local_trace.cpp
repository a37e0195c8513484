#include "bench/local_trace.h"

#include <random>
#include <vector>

#include <fmt/format.h>

namespace heddle::bench {
namespace {

constexpr std::uint32_t kThreads = 8;
constexpr std::uint32_t kLoops = 200;
constexpr std::uint32_t kArrays = 20;
constexpr std::uint32_t kArraySize = 8192;  // elements for each thread
constexpr std::uint32_t kTableSize = 100'000;
constexpr std::uint32_t kHotVariables = 300;
constexpr std::uint32_t kLocks = 50;
constexpr std::uint32_t kStepsPerTurn = 40;

// Locations: the hot variables, then the arrays (thread by thread), then the table.
constexpr std::uint32_t kFirstArray = kHotVariables;
constexpr std::uint32_t kFirstEntry = kFirstArray + kArrays * kThreads * kArraySize;

enum class Pattern { walk, hot, random_entry, counter, branch, lock, unlock };

struct Statement {
  Pattern pattern;
  EventKind kind;
  SiteId site;
  std::uint32_t subject;  // array, variable or lock
};

using Loop = std::vector<Statement>;

struct Thread {
  ThreadId id;
  const Loop* loop = nullptr;
  std::size_t statement = 0;
  std::uint32_t rounds_left = 0;
  std::uint32_t position = 0;  // in the arrays
  std::uint32_t locks_held = 0;
};

class Maker {
 public:
  explicit Maker(const LocalTraceOptions& options) : options_(options), random_(options.seed) {
    make_tables();
    for (std::uint32_t i = 0; i < kLoops; ++i) loops_.push_back(make_loop());
  }

  Trace make() {
    std::vector<Thread> threads;
    for (ThreadId t : indices<ThreadId>(kThreads)) threads.push_back({.id = t});
    while (trace_.size() < options_.events) {
      Thread& thread = threads[below(kThreads)];
      do {
        step(thread);
      } while (thread.locks_held > 0 || below(kStepsPerTurn) != 0);
    }
    trace_.shrink();
    trace_.tables.shrink();
    return std::move(trace_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  void make_tables() {
    Tables& tables = trace_.tables;
    for (std::uint32_t t = 0; t < kThreads; ++t) tables.threads.add({});
    for (std::uint32_t i = 0; i < kLocks; ++i) tables.locks.add({});
    for (std::uint32_t i = 0; i < kHotVariables; ++i) {
      const StringId name = tables.strings.intern(fmt::format("variable_{}", i));
      tables.locations.add({.name = name, .size = 8});
    }
    for (std::uint32_t i = 0; i < kArrays * kThreads; ++i) add_region(kArraySize);
    add_region(kTableSize);
    values_.resize(tables.locations.size());
  }

  void add_region(std::uint32_t elements) {
    Tables& tables = trace_.tables;
    const RegionId region = tables.regions.add({.size = 8 * elements});
    for (std::uint32_t i = 0; i < elements; ++i) {
      tables.locations.add({.region = region, .offset = 8 * i, .size = 8});
    }
  }

  SiteId new_site() {
    Tables& tables = trace_.tables;
    const auto number = static_cast<std::uint32_t>(tables.sites.size());
    const StringId file = tables.strings.intern(fmt::format("source_{}.cpp", number / 300));
    return tables.sites.add({.file = file, .line = 10 + 3 * (number % 300)});
  }

  Loop make_loop() {
    Loop loop;
    const std::uint32_t statements = 2 + below(8);
    for (std::uint32_t i = 0; i < statements; ++i) add_statement(loop);
    return loop;
  }

  void add_statement(Loop& loop) {
    const std::uint32_t choice = below(20);
    if (choice < 8) {
      loop.push_back({Pattern::walk, read_or_write(), new_site(), below(kArrays)});
    } else if (choice < 13) {
      loop.push_back({Pattern::hot, read_or_write(), new_site(), below(kHotVariables)});
    } else if (choice < 14) {
      loop.push_back({Pattern::random_entry, read_or_write(), new_site(), 0});
    } else if (choice < 15) {
      loop.push_back({Pattern::counter, EventKind::atomic_rmw, new_site(), below(kHotVariables)});
    } else if (choice < 18) {
      loop.push_back({Pattern::branch, EventKind::branch, new_site(), 0});
    } else {
      add_section(loop);
    }
  }

  EventKind read_or_write() { return below(3) == 0 ? EventKind::write : EventKind::read; }

  void add_section(Loop& loop) {
    const std::uint32_t lock = below(kLocks);
    loop.push_back({Pattern::lock, EventKind::acquire, new_site(), lock});
    for (std::uint32_t i = 1 + below(4); i > 0; --i) {
      loop.push_back({Pattern::hot, read_or_write(), new_site(), below(kHotVariables)});
    }
    loop.push_back({Pattern::unlock, EventKind::release, new_site(), lock});
  }

  void step(Thread& thread) {
    if (thread.rounds_left == 0) {
      thread.loop = &loops_[below(kLoops)];
      thread.rounds_left = 3 + below(198);
      thread.position = below(kArraySize);
    }
    perform(thread, (*thread.loop)[thread.statement]);
    if (++thread.statement < thread.loop->size()) return;
    thread.statement = 0;
    --thread.rounds_left;
    thread.position = (thread.position + 1) % kArraySize;
  }

  void perform(Thread& thread, const Statement& statement) {
    EventRecord event{.kind = statement.kind, .thread = thread.id, .site = statement.site};
    event.object = object_of(thread, statement);
    if (statement.pattern == Pattern::counter) event.detail = 5;
    if (statement.pattern == Pattern::lock) ++thread.locks_held;
    if (statement.pattern == Pattern::unlock) --thread.locks_held;
    if (options_.values && is_access(event.kind)) set_value(event);
    trace_.append(event);
  }

  std::uint32_t object_of(const Thread& thread, const Statement& statement) {
    switch (statement.pattern) {
      case Pattern::walk:
        return kFirstArray + (statement.subject * kThreads + thread.id.value()) * kArraySize +
               thread.position;
      case Pattern::random_entry: return kFirstEntry + below(kTableSize);
      case Pattern::branch: return 0;
      default: return statement.subject;
    }
  }

  void set_value(EventRecord& event) {
    std::uint64_t& value = values_[event.object];
    event.has_value = true;
    event.old_value = event.kind == EventKind::atomic_rmw ? value : 0;
    if (writes(event.kind)) {
      value = event.object < kHotVariables ? value + 1 : random_() & 0xffffffff;
    }
    event.value = value;
  }

  LocalTraceOptions options_;
  std::mt19937_64 random_;
  Trace trace_;
  std::vector<Loop> loops_;
  std::vector<std::uint64_t> values_;
};

}  // namespace

Trace make_local_trace(const LocalTraceOptions& options) { return Maker(options).make(); }

}  // namespace heddle::bench
