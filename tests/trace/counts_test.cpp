#include "trace/counts.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/generate.h"

namespace heddle {
namespace {

TraceCounts counts_of(const Trace& trace) {
  TraceCounts counts;
  for (EventId e : trace.events()) counts.add(trace.record(e));
  return counts;
}

RC_GTEST_PROP(TraceCounts, AreTheSizesOfTheSetsTheyName, ()) {
  GenerateOptions options;
  options.events = *rc::gen::inRange<std::size_t>(0, 200);
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  std::set<std::uint32_t> threads, locks;
  std::set<std::pair<std::uint32_t, std::uint32_t>> accessors;
  std::set<std::uint32_t> variables;
  std::size_t accesses = 0;
  for (EventId e : trace.events()) {
    threads.insert(trace.thread(e).value());
    const ObjectType type = object_type(trace.kind(e));
    if (type == ObjectType::thread) threads.insert(trace.object(e));
    if (type == ObjectType::lock) locks.insert(trace.object(e));
    if (trace.kind(e) == EventKind::wait) locks.insert(trace.lock_of_wait(e).value());
    if (type != ObjectType::location) continue;
    ++accesses;
    variables.insert(trace.object(e));
    accessors.insert({trace.object(e), trace.thread(e).value()});
  }
  std::size_t shared = 0;
  for (const std::uint32_t variable : variables) {
    const auto count = std::count_if(accessors.begin(), accessors.end(),
                                     [=](const auto& pair) { return pair.first == variable; });
    if (count > 1) ++shared;
  }
  const TraceCounts counts = counts_of(trace);
  RC_ASSERT(counts.events() == trace.size());
  RC_ASSERT(counts.threads() == threads.size());
  RC_ASSERT(counts.locks() == locks.size());
  RC_ASSERT(counts.accesses() == accesses);
  RC_ASSERT(counts.variables() == variables.size());
  RC_ASSERT(counts.shared_variables() == shared);
}

}  // namespace
}  // namespace heddle
