#include "runtime/policy.h"

namespace heddle::runtime {

const Policy* policy = &random_policy;
bool current_yields = false;

void choose_policy(const wire::Settings& settings) {
  switch (settings.policy) {
    case wire::PolicyKind::random: policy = &random_policy; break;
    case wire::PolicyKind::pct: policy = &pct_policy; break;
    case wire::PolicyKind::round_robin: policy = &round_robin_policy; break;
    case wire::PolicyKind::explore: break;  // the engine decides
    case wire::PolicyKind::replay: policy = &replay_policy; break;
  }
  policy->begin(settings);
}

}  // namespace heddle::runtime
