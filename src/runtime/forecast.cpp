#include "runtime/forecast.h"

#include "runtime/ownership.h"

namespace heddle::runtime {

LARGE constinit Forecast forecast;

wire::AllocationSite allocation_site(Thread& thread, std::uint64_t pc) {
  ShadowStack& stack = thread.stack;
  wire::AllocationSite site{{pc, 0, 0}};
  const std::uint32_t depth = stack.depth();
  if (depth > 0) site.calls[1] = stack.frame(depth - 1).call_site;
  if (depth > 1) site.calls[2] = stack.frame(depth - 2).call_site;
  return site;
}

bool Forecast::expects_cached(const wire::AllocationSite& site) {
  const std::uint64_t key = site.calls[0] ^ site.calls[1] * 31 ^ site.calls[2] * 1021;
  Cached& cached = cache_[mix(key) % kCached];
  if (cached.site != site) cached = {site, find(site)};
  return cached.expected;
}

bool Forecast::find(const wire::AllocationSite& site) const {
  wire::AllocationSite wanted = site;
  for (std::uint64_t& call : wanted.calls) call = ownership.canonical(call);
  std::uint64_t first = 0;
  std::uint64_t last = count_;
  while (first < last) {
    const std::uint64_t middle = (first + last) / 2;
    if (sites_[middle] < wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first < count_ && sites_[first] == wanted;
}

}  // namespace heddle::runtime
