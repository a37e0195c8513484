// heddle trace: looking at traces, converting them, checking them.
#include "cli/trace.h"

#include "cli/commands.h"

namespace heddle {
namespace {

constexpr const Command* kChildren[] = {
    &kTraceInfoCommand,
    &kTraceShowCommand,
    &kTraceConvertCommand,
    &kTraceValidateCommand,
    &kTraceCheckReorderingCommand,
};

}  // namespace

constinit const Command kTraceCommand = {
    .name = "trace",
    .summary = "look at a trace, convert it, check it",
    .help =
        "Traces are read in every format that Heddle knows, told by their content: the binary\n"
        ".heddle file, STD text as the RAPID tool defines it with its dialects, and JSON lines;\n"
        "gzip'ed and zstd'ed files are read directly.",
    .children = kChildren,
};

}  // namespace heddle
