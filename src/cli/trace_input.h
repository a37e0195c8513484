// What the trace commands share: a trace as their input, read strictly or repaired.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <CLI/App.hpp>

#include "base/result.h"
#include "trace/repair.h"
#include "trace/stream.h"

namespace heddle {

struct TraceInput {
  std::string path;
  bool repair = false;

  // Declares FILE and --repair.
  void declare(CLI::App& app, const std::string& name = "FILE");
};

// A trace that is being read. Without --repair the first event that is out of place is an
// error.
class OpenedTrace {
 public:
  static Result<OpenedTrace> open(const TraceInput& input);

  EventSource& events() { return *source_; }
  // Reads all of it into memory.
  Result<Trace> collect();
  // Says on standard error what was repaired and what was lost, once all is read.
  void report_changes() const;

 private:
  std::string path_;
  std::unique_ptr<EventSource> source_;
  const RepairingSource* repairing_ = nullptr;  // the same, if it repairs
};

}  // namespace heddle
