#include "tests/explore/trace_of.h"

#include <map>

#include <fmt/format.h>

namespace heddle {

std::string trace_of(const Execution& original) {
  Execution execution = original;
  CheckCounters ignored;
  execution.order_up_to(execution.size(), ignored);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> events;
  std::map<std::uint32_t, std::uint32_t> count;
  for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
    std::string text;
    for (const Access& access : execution.accesses(e)) {
      text += fmt::format("{} o{} ", name_of(access.kind), access.object.value());
    }
    text += fmt::format("choice {} after", execution.transition(e).choice);
    std::map<std::uint32_t, int> known;
    for (Execution::EventIndex d = 0; d < e; ++d) {
      if (execution.before(d, e)) ++known[execution.thread(d).value()];
    }
    for (const auto& [thread, n] : known) text += fmt::format(" {}:{}", thread, n);
    const std::uint32_t thread = execution.thread(e).value();
    events[{thread, count[thread]++}] = text;
  }
  std::string key;
  for (const auto& [id, text] : events) {
    key += fmt::format("T{}.{} {}\n", id.first, id.second, text);
  }
  return key;
}

}  // namespace heddle
