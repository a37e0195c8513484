#include "trace/open.h"

#include <array>

#include "trace/binary_reader.h"
#include "trace/binary_writer.h"
#include "trace/json_lines_reader.h"
#include "trace/json_lines_writer.h"
#include "trace/std_reader.h"
#include "trace/std_writer.h"

namespace heddle {
namespace {

constexpr std::size_t kHead = 256;  // bytes that tell the format

struct FormatName {
  std::string_view name;  // and, with a dot, extension
  TraceFormat format;
};
// The first name of a format is the one to print.
constexpr std::array<FormatName, 8> kFormatNames = {{
    {"heddle", TraceFormat::binary},
    {"binary", TraceFormat::binary},
    {"std", TraceFormat::std_text},
    {"txt", TraceFormat::std_text},
    {"log", TraceFormat::std_text},
    {"jsonl", TraceFormat::json_lines},
    {"ndjson", TraceFormat::json_lines},
    {"json", TraceFormat::json_lines},
}};

Result<TraceFormat> format_of_content(std::string_view head, const std::string& name) {
  if (looks_binary(head)) return TraceFormat::binary;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && head[first] == '{') return TraceFormat::json_lines;
  if (head.find('\0') != std::string_view::npos) {
    return make_error("{}: not a trace: neither a .heddle file, nor STD text, nor JSON lines",
                      name);
  }
  return TraceFormat::std_text;
}

Result<TraceFormat> format_for_path(const std::string& path) {
  if (const auto format = trace_format_of_path(path)) return *format;
  return make_error(
      "{}: its name does not say in which format to write; use an extension "
      "(.heddle, .std, .jsonl) or say the format",
      path == "-" ? "standard output" : path);
}

Result<std::unique_ptr<EventSource>> source_of(TraceFormat format, std::unique_ptr<Input> input) {
  std::unique_ptr<EventSource> source;
  switch (format) {
    case TraceFormat::binary: {
      TRY(source, BinaryReader::open(std::move(input)));
      break;
    }
    case TraceFormat::std_text: source = std::make_unique<StdReader>(std::move(input)); break;
    case TraceFormat::json_lines:
      source = std::make_unique<JsonLinesReader>(std::move(input));
      break;
  }
  return source;
}

Result<std::unique_ptr<EventSink>> sink_of(TraceFormat format, std::unique_ptr<Output> output) {
  std::unique_ptr<EventSink> sink;
  switch (format) {
    case TraceFormat::binary: {
      TRY(sink, BinaryWriter::to(std::move(output)));
      break;
    }
    case TraceFormat::std_text: sink = std::make_unique<StdWriter>(std::move(output)); break;
    case TraceFormat::json_lines:
      sink = std::make_unique<JsonLinesWriter>(std::move(output));
      break;
  }
  return sink;
}

}  // namespace

std::string_view name_of(TraceFormat format) {
  for (const FormatName& row : kFormatNames) {
    if (row.format == format) return row.name;
  }
  return "unknown";
}

std::optional<TraceFormat> trace_format_named(std::string_view name) {
  for (const FormatName& row : kFormatNames) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

std::optional<TraceFormat> trace_format_of_path(std::string_view path) {
  for (const std::string_view compression : {".gz", ".zst"}) {
    if (path.ends_with(compression)) path.remove_suffix(compression.size());
  }
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  return trace_format_named(path.substr(dot + 1));
}

Result<std::unique_ptr<EventSource>> open_trace(const std::string& path) {
  TRY(std::unique_ptr<Input> input, Input::open(path));
  return open_trace(std::move(input));
}

Result<std::unique_ptr<EventSource>> open_trace(std::unique_ptr<Input> input) {
  const Result<std::string> head = peek(input, kHead);
  if (!head.ok()) return head.error();
  TRY(const TraceFormat format, format_of_content(*head, input->name()));
  return source_of(format, std::move(input));
}

Result<std::unique_ptr<EventSink>> create_trace(const std::string& path,
                                                std::optional<TraceFormat> format) {
  if (!format) {
    TRY(format, format_for_path(path));
  }
  TRY(std::unique_ptr<Output> output, Output::create(path));
  return sink_of(*format, std::move(output));
}

}  // namespace heddle
