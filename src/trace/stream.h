// Events on their way: sources that read them, sinks that take them.
//
// A conversion is a source, perhaps a filter, and a sink, run batch by batch, so a
// file of any length passes through in constant memory (its tables apart). Tables
// belong to the source and only grow: every id in a batch is defined in them by the
// time the batch is handed out, and an entry does not change any more from then on. A
// filter is a source that wraps another one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/event.h"
#include "trace/tables.h"
#include "trace/trace.h"

namespace heddle {

// What a reader had to leave behind because the file is cut off or damaged.
struct Damage {
  std::uint64_t events_kept = 0;
  std::string message;  // what is damaged, where, and what is lost
};

class EventSource {
 public:
  virtual ~EventSource() = default;

  // Replaces `batch` by the next events; an empty batch is the end.
  virtual Result<void> next(std::vector<EventRecord>& batch) = 0;
  // Where in the input the i-th event of the last batch stands, for messages: "a.std:12".
  virtual std::string where(std::size_t i) const = 0;

  // These three are virtual so that a filter can hand out those of the source it wraps.
  virtual Tables& tables() { return tables_; }
  // Complete once next() has come to the end.
  virtual Metadata& metadata() { return metadata_; }
  // Set when the input broke off early; next() then ended as if the input did.
  virtual const std::optional<Damage>& damage() const { return damage_; }

 protected:
  Tables tables_;
  Metadata metadata_;
  std::optional<Damage> damage_;
};

class EventSink {
 public:
  virtual ~EventSink() = default;

  virtual Result<void> append(const Tables& tables, std::span<const EventRecord> events) = 0;
  // No more events: writes what is left and closes.
  virtual Result<void> finish(const Tables& tables, const Metadata& metadata) = 0;
};

// Drains the source into a trace.
Result<Trace> collect(EventSource& source);

// Writes a whole trace into a sink.
Result<void> write_all(const Trace& trace, EventSink& sink);

}  // namespace heddle
