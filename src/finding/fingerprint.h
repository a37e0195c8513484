// The number of a finding: the same as long as the finding is the same, in other runs, with
// other seeds, and after the lines around it have moved.
//
// It is a hash of the kind and, for each event, of the file's name, what the event does, and
// the text of the source line without its blanks. The line's number, the thread's name and
// the schedule do not count, nor does the order of the events.
#pragma once

#include <string>

#include "finding/finding.h"
#include "finding/source_lines.h"

namespace heddle {

// Twelve hexadecimal digits.
std::string fingerprint(const Finding& finding, SourceLines& sources);

}  // namespace heddle
