// The forecast: from where blocks are allocated that several threads will touch.
//
// A run that leaves out private memory has to know what is shared before it is touched first. A
// scout knows it for certain, but takes as long as the run itself. So in a long run the scout has
// only a first look at its beginning, and then the program is tried: memory that was shared in
// the first look counts as shared, and so does every block that is allocated where blocks became
// shared. If nothing turns out to be shared that was touched before as private, the trace lacks
// nothing, and one run was enough. Otherwise the try has become a scout, and the program runs
// once more.
//
// So a wrong forecast costs time, and never an event.
#pragma once

#include <cstdint>

#include "runtime/thread.h"
#include "runtime/wire.h"

namespace heddle::runtime {

// Where the thread allocates just now, by the addresses of this run.
wire::AllocationSite allocation_site(Thread& thread, std::uint64_t pc);

class Forecast {
 public:
  // By canonical addresses, ascending.
  void open(const wire::AllocationSite* sites, std::uint64_t count) {
    sites_ = sites;
    count_ = count;
  }
  // Whether blocks from there are expected to be shared.
  bool expects(const wire::AllocationSite& site) { return count_ != 0 && expects_cached(site); }

 private:
  struct Cached {
    wire::AllocationSite site;
    bool expected;
  };
  bool expects_cached(const wire::AllocationSite& site);
  bool find(const wire::AllocationSite& site) const;

  static constexpr std::uint64_t kCached = 256;
  const wire::AllocationSite* sites_ = nullptr;
  std::uint64_t count_ = 0;
  Cached cache_[kCached] = {};
};

extern Forecast forecast;

}  // namespace heddle::runtime
