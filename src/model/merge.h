// Merging trace programs: several models of straight-line threads as one with branches.
//
// Each model is what one run did: the same threads and variables, and per thread a sequence of
// transitions. The merged model has all of their transitions once, and the program order of
// each [Kundu, Ganai, Wang, CAV 2010]: what all sequences of a thread begin with and end
// with is shared, and in between there is a choice among those that differ, merged in the
// same way. So each thread can do what it did in any of the runs, and nothing else along
// one sequence is new; which ways fit together, the values and assumptions decide.
#pragma once

#include <span>

#include "base/result.h"
#include "model/model.h"

namespace heddle::model {

// Fails, saying where, if declarations differ or a thread is no straight line.
Result<Model> merge(std::span<const Model* const> traces);

}  // namespace heddle::model
