#include "trace/std_reader.h"

#include <cstring>

#include "base/nearest.h"
#include "base/printable.h"
#include "trace/std_format.h"

namespace heddle {
namespace {

constexpr std::size_t kBatch = 4096;

// The parts of one line, trimmed; empty where there is nothing.
struct StdLine {
  std::string_view thread;
  std::string_view op;
  std::string_view operand;
  std::string_view location;
};

std::size_t find_bar(std::string_view text) {
  const void* found = std::memchr(text.data(), '|', text.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// `op(operand)`: the first parenthesis opens and the last one closes, so that a name may
// have some of its own.
Result<void> split_op(std::string_view text, StdLine& parts) {
  const std::size_t open = text.find('(');
  parts.op = std_trimmed(text.substr(0, open));
  if (open == std::string_view::npos) return {};
  if (text.back() != ')') {
    return make_error("the closing parenthesis is missing in {}", printable(text));
  }
  parts.operand = std_trimmed(text.substr(open + 1, text.size() - open - 2));
  return {};
}

Result<void> split_line(std::string_view line, StdLine& parts) {
  const std::size_t bar = find_bar(line);
  if (bar == std::string_view::npos) {
    return make_error("expected thread|op(operand)|location, not {}", printable(line));
  }
  parts.thread = std_trimmed(line.substr(0, bar));
  const std::string_view rest = line.substr(bar + 1);
  const std::size_t second_bar = find_bar(rest);
  if (second_bar != std::string_view::npos) {
    parts.location = std_trimmed(rest.substr(second_bar + 1));
    if (find_bar(parts.location) != std::string_view::npos) {
      return make_error("more than three fields in {}", printable(line));
    }
  }
  return split_op(std_trimmed(rest.substr(0, second_bar)), parts);
}

Error unknown_op(std::string_view op) {
  if (op.empty()) return make_error("the op is missing");
  const auto suggestion = nearest(op, std_op_names());
  return make_error("unknown op {}{}", printable(op),
                    suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "");
}

// Cuts the last comma part off `operand`; without a comma there is none.
std::string_view cut_last_part(std::string_view& operand) {
  const std::size_t comma = operand.rfind(',');
  if (comma == std::string_view::npos) return {};
  const std::string_view part = operand.substr(comma + 1);
  operand = operand.substr(0, comma);
  return std_trimmed(part);
}

// Takes the memory order, and the values before or after it, off the end of `operand`:
// `x`, `x,order`, `x,order,value`, and for a read-modify-write `x,order,old,new`.
void cut_order_and_values(std::string_view& operand, EventRecord& event) {
  event.detail = static_cast<std::uint8_t>(MemoryOrder::seq_cst);
  std::string_view name = operand;
  std::optional<MemoryOrder> order = memory_order_named(cut_last_part(name));
  std::optional<std::uint64_t> value;
  std::optional<std::uint64_t> old_value = 0;
  if (!order) {
    name = operand;
    value = parse_std_number(cut_last_part(name));
    if (event.kind == EventKind::atomic_rmw) old_value = parse_std_number(cut_last_part(name));
    order = memory_order_named(cut_last_part(name));
    if (!value || !old_value || !order) return;
  }
  operand = std_trimmed(name);
  event.detail = static_cast<std::uint8_t>(*order);
  event.has_value = value.has_value();
  event.value = value.value_or(0);
  event.old_value = *old_value;
}

Result<void> parse_fence(std::string_view operand, EventRecord& event) {
  const auto order = operand.empty() ? MemoryOrder::seq_cst : memory_order_named(operand);
  if (!order) return make_error("not a memory order: {}", printable(operand));
  event.detail = static_cast<std::uint8_t>(*order);
  return {};
}

// Ops without an object: the operand of begin, end and branch means nothing.
Result<void> parse_without_object(std::string_view operand, EventRecord& event) {
  if (event.kind == EventKind::fence) return parse_fence(operand, event);
  if (event.kind == EventKind::exit && !operand.empty()) {
    return make_error("exit is the end of the process and takes no operand like {}",
                      printable(operand));
  }
  return {};
}

// The word at an operand's end that stands for detail bit 0.
std::string_view detail_word(EventKind kind) {
  switch (info(kind).detail) {
    case DetailType::tried: return kStdTried;
    case DetailType::serial: return kStdSerial;
    default: return {};
  }
}

}  // namespace

StdReader::StdReader(std::unique_ptr<Input> input) : lines_(std::move(input)), objects_(tables_) {}

std::string StdReader::where(std::size_t i) const {
  return fmt::format("{}:{}", lines_.name(), line_numbers_.at(i));
}

Error StdReader::here(const Error& error) const {
  return make_error("{}:{}: {}", lines_.name(), lines_.line_number(), error.message);
}

Result<void> StdReader::next(std::vector<EventRecord>& batch) {
  batch.clear();
  line_numbers_.clear();
  std::string_view line;
  while (batch.size() < kBatch) {
    TRY(const bool more, next_event_line(line));
    if (!more) break;
    const Result<void> parsed = parse_event(line, batch.emplace_back());
    if (!parsed.ok()) return here(parsed.error());
    line_numbers_.push_back(lines_.line_number());
  }
  return {};
}

// Passes over comments and blank lines, and takes in the definitions among them.
Result<bool> StdReader::next_event_line(std::string_view& line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  for (;;) {
    TRY(const bool more, lines_.next(line));
    if (!more) return false;
    if (lines_.line_number() == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(3);
    line = std_trimmed(line);
    if (line.empty()) continue;
    if (line.front() != '#') return true;
    if (!line.starts_with("#! ")) continue;
    const Result<void> defined = objects_.define(line.substr(3));
    if (!defined.ok()) return here(defined.error());
  }
}

Result<void> StdReader::parse_event(std::string_view line, EventRecord& event) {
  StdLine parts;
  TRY_VOID(split_line(line, parts));
  const std::optional<EventKind> kind = std_op_named(parts.op);
  if (!kind) return unknown_op(parts.op);
  event.kind = *kind;
  TRY(event.thread, thread_named(parts.thread));
  event.site = objects_.site(parts.location);
  return parse_operand(parts.operand, event);
}

Result<ThreadId> StdReader::thread_named(std::string_view name) {
  if (name != last_thread_name_ || name.empty()) {
    TRY(const auto thread, objects_.object(ObjectType::thread, name));
    last_thread_ = ThreadId(thread.id);
    last_thread_name_ = name;
  }
  return last_thread_;
}

Result<void> StdReader::parse_operand(std::string_view operand, EventRecord& event) {
  if (event.kind == EventKind::wait) return parse_wait(operand, event);
  switch (object_type(event.kind)) {
    case ObjectType::location:
      return is_atomic(event.kind) ? parse_atomic(operand, event) : parse_access(operand, event);
    case ObjectType::lock: return parse_lock_event(operand, event);
    case ObjectType::none: return parse_without_object(operand, event);
    default: return parse_name(operand, event);
  }
}

Result<void> StdReader::parse_access(std::string_view operand, EventRecord& event) {
  const StdAccess access = split_std_access(operand);
  TRY(const auto location, objects_.object(ObjectType::location, access.name));
  if (location.added) tables_.locations[LocationId(location.id)].size = access.size;
  event.object = location.id;
  event.has_value = access.value.has_value();
  event.value = access.value.value_or(0);
  return {};
}

Result<void> StdReader::parse_atomic(std::string_view operand, EventRecord& event) {
  cut_order_and_values(operand, event);
  TRY(const auto location, objects_.object(ObjectType::location, operand));
  event.object = location.id;
  return {};
}

Result<void> StdReader::parse_lock_event(std::string_view operand, EventRecord& event) {
  const std::size_t locks = tables_.locks.size();
  TRY_VOID(parse_name(operand, event));
  if (tables_.locks.size() > locks) {
    tables_.locks[LockId(event.object)].kind = implied_lock_kind(event.kind);
  }
  return {};
}

// `c,m` gives up lock m and blocks on condition c; `x` alone is a monitor of Java, which
// is both at once; `c,` says that the lock is unknown.
Result<void> StdReader::parse_wait(std::string_view operand, EventRecord& event) {
  const std::size_t comma = operand.rfind(',');
  const std::string_view condition_name = std_trimmed(operand.substr(0, comma));
  const std::string_view lock_name =
      comma == std::string_view::npos ? condition_name : std_trimmed(operand.substr(comma + 1));
  TRY(const auto condition, objects_.object(ObjectType::condition, condition_name));
  event.object = condition.id;
  if (lock_name.empty()) return {};
  TRY(const auto lock, objects_.object(ObjectType::lock, lock_name));
  event.lock = LockId(lock.id);
  return {};
}

// The operand is a name, perhaps followed by the word for detail bit 0.
Result<void> StdReader::parse_name(std::string_view operand, EventRecord& event) {
  const std::string_view word = detail_word(event.kind);
  if (!word.empty() && operand.ends_with(word)) {
    operand = std_trimmed(operand.substr(0, operand.size() - word.size()));
    event.detail = 1;
  }
  TRY(const auto named, objects_.object(object_type(event.kind), operand));
  event.object = named.id;
  return {};
}

}  // namespace heddle
