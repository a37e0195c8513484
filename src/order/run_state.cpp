#include "order/run_state.h"

namespace heddle::order {

const Machine& RunState::before(EventId e) {
  if (!state_ || e < reached_) {
    state_.emplace(facts_);
    reached_ = EventId(0);
  }
  for (; reached_ < e; ++reached_) {
    state_->step(reached_);
    if (reached_.value() % 4096 == 0) state_->forget_past();
  }
  state_->forget_past();
  return *state_;
}

}  // namespace heddle::order
