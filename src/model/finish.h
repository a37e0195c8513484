// The last part of compilation: what can only be said about all control states together.
#pragma once

#include "model/builder.h"

namespace heddle::model {

// Leaves out what constant conditions make unreachable, numbers states thread by thread in
// the order in which they are reached, gives threads that somebody joins an `end`, decides
// which states are inner, and fills the static tables.
void finish(Builder& builder);

// Part of it: static_tables.cpp.
StaticTable static_table(const Model& model, const Transition& transition);
bool may_fail(const Model& model, const Transition& transition);

}  // namespace heddle::model
