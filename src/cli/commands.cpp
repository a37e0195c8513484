#include "cli/commands.h"

namespace heddle {
namespace {

constexpr const Command* kCommands[] = {
    &kCheckCommand,    &kBuildCommand,   &kCCommand,          &kCplusplusCommand,
    &kRecordCommand,   &kPredictCommand, &kReplayCommand,     &kTraceCommand,
    &kExploreCommand,  &kHuntCommand,    &kRangesCommand,     &kModelCommand,
    &kSuppressCommand, &kDoctorCommand,  &kCompletionCommand, &kHelpCommand,
};

}  // namespace

std::span<const Command* const> all_commands() { return kCommands; }

}  // namespace heddle
