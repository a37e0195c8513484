#include "report/columns.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::size_t kNarrowest = 8;  // a column narrower than this says nothing
constexpr std::size_t kWidest = 40;
constexpr std::size_t kSiteWidth = 24;

std::string values_of(const EventRecord& event) {
  if (!event.has_value) return {};
  if (event.kind == EventKind::atomic_rmw) {
    return fmt::format(" {} -> {}", event.old_value, event.value);
  }
  return fmt::format(" = {}", event.value);
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

// The number of characters, not bytes, of UTF-8 text: continuation bytes do not count.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

// The first `width` characters.
std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t i = 0;
  for (std::size_t count = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (starts && count++ == width) break;
  }
  return text.substr(0, i);
}

}  // namespace

std::string describe(const Trace& trace, EventId e) {
  const EventRecord event = trace.record(e);
  std::string text(name_of(event.kind));
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) text += " " + trace.tables.describe(type, event.object);
  text += values_of(event) + detail_of(event);
  if (event.kind == EventKind::wait) {
    text +=
        fmt::format(" (gives up {})", trace.tables.describe(ObjectType::lock, event.lock.value()));
  }
  return text;
}

Columns::Columns(const Trace& trace, std::span<const EventId> events, Options options)
    : trace_(trace), options_(options), column_of_(trace.tables.threads.size(), 0) {
  std::vector<bool> has_event(trace.tables.threads.size(), false);
  for (EventId e : events) {
    has_event[trace.thread(e).value()] = true;
    column_width_ = std::max(column_width_, display_width(describe(trace, e)));
    number_width_ = std::max(number_width_, fmt::formatted_size("{}", e.value()));
  }
  for (ThreadId thread : indices(trace.tables.threads)) {
    if (!has_event[thread.value()]) continue;
    column_of_[thread] = static_cast<std::uint32_t>(shown_.size());
    shown_.push_back(thread);
    column_width_ = std::max(column_width_, display_width(trace.tables.describe(thread)));
  }
  const std::size_t taken = number_width_ + 2 + kSiteWidth;
  const std::size_t room = options_.width > taken ? options_.width - taken : 0;
  const std::size_t share = shown_.empty() ? kWidest : room / shown_.size();
  const std::size_t fair = share > kNarrowest + 2 ? share - 2 : kNarrowest;
  column_width_ = std::min({column_width_, fair, kWidest});
}

std::string Columns::header() const {
  std::string line = fmt::format("{:>{}}  ", "#", number_width_);
  for (ThreadId thread : shown_) {
    line += coloured(pad(trace_.tables.describe(thread), column_width_), thread) + "  ";
  }
  return line + "site";
}

std::string Columns::line(EventId e) const {
  const ThreadId thread = trace_.thread(e);
  const std::size_t before = column_of_[thread];
  const std::size_t after = shown_.size() - before - 1;
  std::string line = fmt::format("{:>{}}  ", e.value(), number_width_);
  line.append(before * (column_width_ + 2), ' ');
  line += coloured(pad(describe(trace_, e), column_width_), thread) + "  ";
  line.append(after * (column_width_ + 2), ' ');
  return line + trace_.tables.describe(trace_.site(e));
}

std::string Columns::pad(std::string_view text, std::size_t width) const {
  const std::size_t length = display_width(text);
  if (length <= width) return std::string(text) + std::string(width - length, ' ');
  return std::string(first_characters(text, width - 1)) + "…";
}

std::string Columns::coloured(const std::string& text, ThreadId thread) const {
  constexpr std::array kColours = {36, 33, 35, 32, 34, 31};
  if (!options_.colour) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", kColours[thread.value() % kColours.size()], text);
}

}  // namespace heddle
