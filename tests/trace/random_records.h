// Records of events that are random in everything, for tests that must hold for any input.
#pragma once

#include <cstdint>
#include <random>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

// A few objects of every type and kind, with locations that overlap.
Tables tables_for_random_records();

// An event with numbers that are defined in these tables, and otherwise any. What makes
// a trace short (exit, end, join) is rare.
EventRecord random_record(const Tables& tables, std::mt19937_64& random);

}  // namespace heddle
