// The control states to which a thread may come back: those that lie on a cycle.
#pragma once

#include "base/index.h"
#include "model/model.h"

namespace heddle::model {

Table<StateId, bool> states_on_cycles(const Model& model);

}  // namespace heddle::model
