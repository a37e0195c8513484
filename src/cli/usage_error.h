// Wrong command lines, said in one line that suggests what was meant.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_line.h"

namespace heddle {

bool looks_like_option(std::string_view word);

// A word that the command does not take: an option, a subcommand, or one argument too many.
std::string unexpected_word(const CommandNode& node, const std::string& word);

// "heddle help trace info" for the node of that command.
std::string help_command_for(const CommandNode& node);

}  // namespace heddle
