// Exit statuses: what a script can learn from how `heddle` ended.
//
// `record` and `replay` end with the status of the program that they ran, so a command
// may also return a number that has no name here.
#pragma once

namespace heddle {

enum class ExitStatus : int {
  ok = 0,              // did what was asked; an analysis found nothing
  incomplete = 5,      // nothing found, but the search had to stop early (--require-complete)
  found = 42,          // an analysis found something
  usage = 64,          // wrong command line
  bad_input = 65,      // an input file is damaged, malformed or missing
  unavailable = 69,    // the machine lacks something that is needed
  internal = 70,       // a mistake in Heddle itself (see base/check.h)
  output_failed = 74,  // standard output or a result file could not be written
  cannot_run = 125,    // `record` and `replay`: Heddle itself could not do its part
};

}  // namespace heddle
