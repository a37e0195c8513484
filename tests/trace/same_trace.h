// When two traces say the same, though their tables are not laid out alike.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/input.h"
#include "trace/trace.h"

namespace heddle {

// Every table row, with its strings as text, every event and the metadata are the same;
// only the numbering of strings may differ.
testing::AssertionResult same_trace(const Trace& a, const Trace& b);

// The events, one per line, in terms of what STD carries: names, attributes of the
// objects at their first use, details, values, and sites as file:line. Two traces that
// differ in ids, order of tables, columns or callers look alike.
std::string what_std_carries(const Trace& trace);

// Input from text that stands in the test.
std::unique_ptr<Input> input_of(std::string_view text, std::string name = "test");

}  // namespace heddle
