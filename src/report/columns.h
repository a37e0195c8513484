// Events for people: one line each, one column per thread, so that an interleaving can
// be read from top to bottom.
//
//     #  main        worker      site
//     0  fork worker             bank.cpp:40
//     1              acquire m   bank.cpp:12
//
// Threads without an event among those shown get no column. Text that does not fit its
// column is cut with an ellipsis; the columns share the width that is left by the rest.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "trace/trace.h"

namespace heddle {

// The event in a few words: "write x = 3", "wait c (gives up m)".
std::string describe(const Trace& trace, EventId e);

class Columns {
 public:
  struct Options {
    std::size_t width = 100;  // of a whole line
    bool colour = false;
  };

  // Lays out the columns for these events, which are then rendered one by one.
  Columns(const Trace& trace, std::span<const EventId> events, Options options);

  std::string header() const;
  std::string line(EventId e) const;

 private:
  std::string pad(std::string_view text, std::size_t width) const;
  std::string coloured(const std::string& text, ThreadId thread) const;

  const Trace& trace_;
  Options options_;
  std::size_t number_width_ = 1;
  std::size_t column_width_ = 0;
  std::vector<ThreadId> shown_;  // the threads that have a column
  Table<ThreadId, std::uint32_t> column_of_;
};

}  // namespace heddle
