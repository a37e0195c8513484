// EPOR and EPOR-SH: eager partial order reduction. [Metzler et al., ATVA 2016] Sections of
// certain operations are explored in all their orders without race checks; EPOR-SH keeps
// sections short. Both stand on ODPOR here, not on SDPOR as in the paper, which makes them
// visit every Mazurkiewicz trace exactly once; see optimal.h and section.h.
#include "explore/optimal.h"

namespace heddle {

std::unique_ptr<Explorer> make_epor_explorer(System& system, ExplorationListener& listener,
                                             const ExploreOptions& options) {
  return std::make_unique<OptimalExplorer>(system, listener, Section::Length::full, options);
}

std::unique_ptr<Explorer> make_epor_sh_explorer(System& system, ExplorationListener& listener,
                                                const ExploreOptions& options) {
  return std::make_unique<OptimalExplorer>(system, listener, Section::Length::brief, options);
}

}  // namespace heddle
