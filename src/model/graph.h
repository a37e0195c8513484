// The control-flow graph of a model for Graphviz.
#pragma once

#include <string>

#include "model/model.h"

namespace heddle::model {

// A cluster per thread; visible states are boxes, inner ones are dots; a transition bears
// its guard and its statement, as far as they fit.
std::string graphviz(const Model& model);

}  // namespace heddle::model
