// A run for people: one column per thread, each switch to another thread with its reason,
// and at the end what stands against going on.
//
//   #  counter(1)  counter(2)  site
//   1  read x = 0              lost-update.hm:8:3
//      > counter(1) is preempted before `x += 1`, which conflicts with step 2 on x
//   2              read x = 0  lost-update.hm:8:3
#pragma once

#include <string>

#include "finding/run.h"
#include "report/column_layout.h"

namespace heddle {

// All lines of the run, each ended.
std::string run_in_columns(const Run& run, ColumnLayout::Options options);

}  // namespace heddle
