// The commands below `heddle trace`.
#pragma once

#include "cli/command.h"

namespace heddle {

extern const Command kTraceInfoCommand;
extern const Command kTraceShowCommand;
extern const Command kTraceConvertCommand;
extern const Command kTraceValidateCommand;
extern const Command kTraceCheckReorderingCommand;

}  // namespace heddle
