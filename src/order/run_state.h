// The state that the run itself was in before an event: where a search begins that is to change
// only what came later.
//
// Questions come mostly in the order of the trace, so it goes forward with them; a question about
// something earlier makes it begin again.
#pragma once

#include <optional>

#include "order/machine.h"

namespace heddle::order {

class RunState {
 public:
  explicit RunState(const Facts& facts) : facts_(facts) {}

  const Machine& before(EventId e);

 private:
  const Facts& facts_;
  std::optional<Machine> state_;
  EventId reached_{0};
};

}  // namespace heddle::order
