#include "predict/challengers.h"

namespace heddle::predict {

std::vector<EventId> final_reads(const Facts& facts) {
  const Trace& trace = facts.trace();
  std::vector<EventId> result;
  for (LocationId l : indices(trace.tables.locations)) {
    const RegionId region = trace.tables.locations[l].region;
    if (!region.valid() || !facts.free_of(region).valid()) result.push_back(trace.final_read(l));
  }
  return result;
}

}  // namespace heddle::predict
