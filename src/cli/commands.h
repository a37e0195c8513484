// All subcommands. To add one: write its file, declare it here, list it in commands.cpp.
#pragma once

#include <span>

#include "cli/command.h"

namespace heddle {

extern const Command kBuildCommand;
extern const Command kCheckCommand;
extern const Command kCCommand;
extern const Command kCompletionCommand;
extern const Command kCplusplusCommand;
extern const Command kDoctorCommand;
extern const Command kExploreCommand;
extern const Command kRangesCommand;
extern const Command kSuppressCommand;
extern const Command kHelpCommand;
extern const Command kHuntCommand;
extern const Command kModelCommand;
extern const Command kPredictCommand;
extern const Command kRecordCommand;
extern const Command kReplayCommand;
extern const Command kTraceCommand;

// In the order in which the overview shows them.
std::span<const Command* const> all_commands();

}  // namespace heddle
