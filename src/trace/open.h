// Opening a trace by whatever format it has, and creating one in the format that its name
// or the caller asks for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/output.h"
#include "base/result.h"
#include "trace/stream.h"

namespace heddle {

enum class TraceFormat { binary, std_text, json_lines };

std::string_view name_of(TraceFormat format);
// "heddle" (or "binary"), "std", "jsonl": the names that the command line knows.
std::optional<TraceFormat> trace_format_named(std::string_view name);
// The format that a file of this name should have, told by its extension; ".gz" and
// ".zst" behind it do not matter.
std::optional<TraceFormat> trace_format_of_path(std::string_view path);

// Opens a trace; "-" is standard input. The format is told by the content, not by the
// name, after gzip or zstd have been undone.
Result<std::unique_ptr<EventSource>> open_trace(const std::string& path);
Result<std::unique_ptr<EventSource>> open_trace(std::unique_ptr<Input> input);

// Creates a trace; "-" is standard output. Without a format its name decides. It is
// compressed if the name ends in ".gz" or ".zst".
Result<std::unique_ptr<EventSink>> create_trace(const std::string& path,
                                                std::optional<TraceFormat> format = std::nullopt);

}  // namespace heddle
