// Names as short as they can be told apart in one finding.
//
// A name of Heddle's says whose the object is, since a trace has many of them: "total in main",
// "(anonymous namespace)::total". Where a finding is shown, with its few objects and the source
// lines beside them, the variable's own name says as much and is easier to read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "finding/run.h"
#include "report/reported.h"

namespace heddle {

class ShortNames {
 public:
  // Of all objects that the finding's events and the run's steps are about.
  ShortNames(const Finding& finding, const Run& run);

  // The text with all names in it shortened.
  std::string in(std::string text) const;
  Run in(Run run) const;

 private:
  std::vector<std::pair<std::string, std::string>> replacements_;  // longest name first
};

// A finding with all that is said of it in short names.
Reported with_short_names(Reported reported);

}  // namespace heddle
