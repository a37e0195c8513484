// heddle trace convert: from any format to any other, in constant memory.
#include <memory>
#include <optional>

#include "cli/output.h"
#include "cli/trace.h"
#include "cli/trace_input.h"
#include "trace/open.h"

namespace heddle {
namespace {

struct ConvertOptions {
  TraceInput input;
  std::string output;
  std::string format;
};

Result<void> copy(EventSource& source, EventSink& sink) {
  std::vector<EventRecord> batch;
  for (;;) {
    TRY_VOID(source.next(batch));
    if (batch.empty()) return sink.finish(source.tables(), source.metadata());
    TRY_VOID(sink.append(source.tables(), batch));
  }
}

ExitStatus run(const ConvertOptions& options) {
  std::optional<TraceFormat> format;
  if (!options.format.empty()) {
    format = trace_format_named(options.format);
    if (!format) {
      return fail(ExitStatus::usage,
                  fmt::format("unknown format '{}'; known are heddle, std, jsonl", options.format));
    }
  } else if (!trace_format_of_path(options.output)) {
    return fail(ExitStatus::usage,
                fmt::format("'{}' does not tell the format; say --to heddle, std or jsonl",
                            options.output));
  }
  auto opened = OpenedTrace::open(options.input);
  if (!opened.ok()) return fail(ExitStatus::bad_input, opened.error());
  auto sink = create_trace(options.output, format);
  if (!sink.ok()) return fail(ExitStatus::output_failed, sink.error());
  const auto copied = copy(opened->events(), **sink);
  if (!copied.ok()) return fail(ExitStatus::bad_input, copied.error());
  opened->report_changes();
  return ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  options->input.declare(app, "IN");
  app.add_option("OUT", options->output, "the file to write; - is standard output")->required();
  app.add_option("--to", options->format,
                 "heddle, std or jsonl (default: what the extension of OUT says)");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kTraceConvertCommand = {
    .name = "convert",
    .summary = "convert a trace from any format to any other",
    .help =
        "Extensions: .heddle (binary), .std, .jsonl; text is compressed if .gz or .zst follows.\n"
        "docs/text-formats.md says what the STD format cannot carry.",
    .declare = declare,
};

}  // namespace heddle
