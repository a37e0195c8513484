#include "report/columns.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "finding/event_words.h"

namespace heddle {
namespace {

std::string values_of(const Tables& tables, const EventRecord& event) {
  if (!event.has_value) return {};
  const std::string value = value_in_words(tables, event, event.value);
  if (event.kind != EventKind::atomic_rmw) return fmt::format(" = {}", value);
  return fmt::format(" {} -> {}", value_in_words(tables, event, event.old_value), value);
}

std::string detail_of(const EventRecord& event) {
  switch (info(event.kind).detail) {
    case DetailType::memory_order: return fmt::format(" ({})", name_of(event.order()));
    case DetailType::tried: return event.detail != 0 ? " (tried)" : "";
    case DetailType::serial: return event.detail != 0 ? " (serial)" : "";
    case DetailType::none: return {};
  }
  return {};
}

// "read x"
std::string operation_of(const Trace& trace, const EventRecord& event) {
  std::string text(name_of(event.kind));
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) text += " " + trace.tables.describe(type, event.object);
  return text;
}

// The same as describe(); but where there is not enough room for a long name and its value, it is
// the name that is cut, as long as something of it is left.
std::string describe_in(std::size_t width, const Trace& trace, EventId e) {
  constexpr std::size_t kLeastOfName = 6;
  std::string text = describe(trace, e);
  const EventRecord event = trace.record(e);
  const std::string values = values_of(trace.tables, event);
  const std::size_t taken = display_width(values);
  const std::size_t least = name_of(event.kind).size() + 1 + kLeastOfName + taken;
  if (values.empty() || display_width(text) <= width || width < least) return text;
  return cut_to(operation_of(trace, event), width - taken) + values;
}

// "main.2 (consumer)" where it is known what the program calls the thread.
std::string heading_of(const Trace& trace, ThreadId thread) {
  const std::string number = trace.tables.describe(thread);
  const std::string name = trace.metadata.thread_name(number);
  return name.empty() ? number : fmt::format("{} ({})", number, name);
}

}  // namespace

std::string describe(const Trace& trace, EventId e) {
  const EventRecord event = trace.record(e);
  std::string text = operation_of(trace, event);
  text += values_of(trace.tables, event) + detail_of(event);
  if (event.kind == EventKind::wait) {
    text +=
        fmt::format(" (gives up {})", trace.tables.describe(ObjectType::lock, event.lock.value()));
  }
  return text;
}

std::vector<std::string> stack_of(const Trace& trace, EventId e) {
  return stack_in_words(trace.tables, trace.site(e));
}

Columns::Columns(const Trace& trace, std::span<const EventId> events, Options options)
    : trace_(trace),
      column_of_(trace.tables.threads.size(), 0),
      layout_(lay_out(events, options)) {}

ColumnLayout Columns::lay_out(std::span<const EventId> events, Options options) {
  ColumnLayout::Widths widths;
  std::vector<bool> has_event(trace_.tables.threads.size(), false);
  for (EventId e : events) {
    has_event[trace_.thread(e).value()] = true;
    widths.text = std::max(widths.text, display_width(describe(trace_, e)));
    widths.number = std::max(widths.number, fmt::formatted_size("{}", e.value()));
  }
  std::vector<ColumnLayout::Heading> headings;
  for (ThreadId thread : indices(trace_.tables.threads)) {
    if (!has_event[thread.value()]) continue;
    column_of_[thread] = static_cast<std::uint32_t>(headings.size());
    headings.push_back({heading_of(trace_, thread), thread.value()});
  }
  return {std::move(headings), widths, options};
}

std::string Columns::line(EventId e) const {
  const Tables& tables = trace_.tables;
  return layout_.line(fmt::format("{}", e.value()), column_of_[trace_.thread(e)],
                      describe_in(layout_.column_width(), trace_, e),
                      tables.describe(tables.outside_libraries(trace_.site(e))));
}

}  // namespace heddle
