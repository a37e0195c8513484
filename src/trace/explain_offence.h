// Why an event cannot come next, in words: "T2 releases L, which T1 holds".
#pragma once

#include <string>

#include "trace/event.h"
#include "trace/rules.h"
#include "trace/well_formed.h"

namespace heddle {

// What the event does, as the beginning of a sentence: "T2 releases L".
std::string describe_event(const Tables& tables, const EventRecord& event);

// `rule` is the one that broken_rule() gave for this event in this state.
std::string explain_offence(const WellFormed& state, Rule rule, const EventRecord& event);

}  // namespace heddle
