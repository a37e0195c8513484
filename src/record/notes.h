// What a trace of a program says about how it was made, as notes of its metadata, and back.
#pragma once

#include "base/result.h"
#include "record/process_run.h"
#include "record/run.h"
#include "trace/trace.h"

namespace heddle {

// The policy with its settings, and which memory was shared where the rest was left out.
void note_settings(Metadata& metadata, const RunOptions& options);
void note_shared(Metadata& metadata, const std::vector<wire::Range>& shared);
void note_left_out(Metadata& metadata, const RunResult& result);

// Whether accesses to memory of one thread alone were left out.
bool leaves_out(const Metadata& metadata);
// Whether the run can be made again from its policy and seed.
bool says_settings(const Metadata& metadata);
Result<void> take_settings(const Metadata& metadata, RunOptions& options);
// Leaves out what was left out.
Result<void> take_shared(const Metadata& metadata, RunOptions& options);

}  // namespace heddle
