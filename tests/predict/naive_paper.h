// The NDET paper's definitions, written down as they stand: a graph of events, paths by walking,
// scopes as sets of events. The slow twin of predict/paper.h.
#pragma once

#include <vector>

#include "predict/paper.h"

namespace heddle::predict {

// All possible witnesses of the trace, final reads included, in no particular order.
std::vector<PaperWitness> naive_paper_witnesses(const Trace& trace);

}  // namespace heddle::predict
