// Help texts, made from the same nodes that parse the command line.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace heddle {

// The overview for the root, the list of its commands for a group, the usage and the
// options for everything else.
std::string help_text(const CommandNode& node);

}  // namespace heddle
