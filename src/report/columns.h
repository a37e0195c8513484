// Events of a trace for people: one line each, one column per thread, so that an
// interleaving can be read from top to bottom. Threads without an event among those shown
// get no column. The layout itself is column_layout.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/column_layout.h"
#include "trace/trace.h"

namespace heddle {

// The event in a few words: "write x = 3", "wait c (gives up m)".
std::string describe(const Trace& trace, EventId e);

// The calls that led to an event, innermost first: "deposit(int, long)  bank.cpp:14".
std::vector<std::string> stack_of(const Trace& trace, EventId e);

class Columns {
 public:
  using Options = ColumnLayout::Options;

  // Lays out the columns for these events, which are then rendered one by one.
  Columns(const Trace& trace, std::span<const EventId> events, Options options);

  std::string header() const { return layout_.header(); }
  std::string line(EventId e) const;

 private:
  ColumnLayout lay_out(std::span<const EventId> events, Options options);

  const Trace& trace_;
  Table<ThreadId, std::uint32_t> column_of_;
  ColumnLayout layout_;
};

}  // namespace heddle
