// The witness of a finding in the two forms in which it leaves Heddle: as a finding, and as a
// trace whose order of events is the schedule.
#pragma once

#include "finding/finding.h"
#include "predict/prediction.h"
#include "trace/stream.h"

namespace heddle::predict {

// The finding, with the schedule of its sequence. `finding.shown` must be a yes.
Finding make_finding(const Facts& facts, const PredictedFinding& finding);

// Writes the events of the sequence in its order, without final reads. The event in question has
// no value: which one it sees is what is new.
Result<void> write_witness(const Trace& trace, const Shown& shown, EventSink& sink);

}  // namespace heddle::predict
