#include "predict/counting.h"

#include <algorithm>

#include "predict/user_names.h"

namespace heddle::predict {
namespace {

std::string function_of(const Trace& trace, EventId e) {
  if (trace.is_final_read(e) || !trace.site(e).valid()) return {};
  const StringId name = trace.tables.sites[trace.site(e)].function;
  return name.valid() ? std::string(trace.tables.strings[name]) : std::string();
}

bool must_be_deterministic(const Facts& facts, EventId read,
                           std::span<const std::string> deterministic) {
  const Trace& trace = facts.trace();
  const std::string variable =
      trace.tables.describe(ObjectType::location, facts.location_of(read).value());
  const std::string function = function_of(trace, read);
  return std::any_of(deterministic.begin(), deterministic.end(), [&](const std::string& word) {
    return word == "*" || names_variable(word, variable) || names_function(word, function);
  });
}

}  // namespace

bool counts_as_found(const Facts& facts, const PredictedFinding& finding,
                     std::span<const std::string> deterministic) {
  switch (finding.kind) {
    case Kind::race:
    case Kind::deadlock: return true;
    case Kind::atomicity: return finding.requested;
    case Kind::nondeterminism:
      return must_be_deterministic(facts, finding.events.front(), deterministic);
  }
  return false;
}

}  // namespace heddle::predict
