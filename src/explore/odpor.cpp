// ODPOR: optimal dynamic partial order reduction. [Abdulla, Aronis, Jonsson, Sagonas, POPL
// 2014] Every Mazurkiewicz trace is visited exactly once; see optimal.h for how.
#include "explore/optimal.h"

namespace heddle {

std::unique_ptr<Explorer> make_odpor_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options) {
  return std::make_unique<OptimalExplorer>(system, listener, std::nullopt, options);
}

}  // namespace heddle
