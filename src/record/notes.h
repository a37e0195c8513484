// What a trace of a program says about how it was made, as notes of its metadata, and back.
#pragma once

#include "base/result.h"
#include "record/process_run.h"
#include "record/run.h"
#include "trace/trace.h"

namespace heddle {

// The policy with its settings, and which memory was shared where the rest was left out.
void note_settings(Metadata& metadata, const RunOptions& options);
void note_left_out(Metadata& metadata, const RunResult& result);

// Whether accesses to memory of one thread alone were left out.
bool leaves_out(const Metadata& metadata);
// Makes the same run as the one described; only for traces with something left out.
Result<void> take_settings(const Metadata& metadata, RunOptions& options);

}  // namespace heddle
