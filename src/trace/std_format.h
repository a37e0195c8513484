// The STD text format, as far as reader and writer share it: ops, escapes, numbers.
//
// STD is the format of the RAPID tool: one event per line, `thread|op(operand)|location`.
// docs/text-formats.md describes it with all its dialects and with Heddle's extensions,
// by which every event that Heddle knows can be written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

// The kind of an op, by its own name (kEventKinds) or one that another tool uses.
std::optional<EventKind> std_op_named(std::string_view name);
// Every name of an op, for suggestions.
std::vector<std::string> std_op_names();

// The words after a comma by which an operand says the detail of its event.
inline constexpr std::string_view kStdTried = ",try";
inline constexpr std::string_view kStdSerial = ",serial";

// Names that STD cannot carry as they are have their offending bytes (white space,
// control characters, '|', and ',' or '#' where these would mean something) written as
// %XX. Only the escapes of such bytes are undone, and '%' is escaped only in front of
// what looks like one, so other tools' names pass through unchanged.
void append_std_escaped(std::string& out, std::string_view name);
void append_std_escape(std::string& out, char byte);
std::string std_unescaped(std::string_view text);

// Decimal, negative (two's complement) or hexadecimal with 0x.
std::optional<std::uint64_t> parse_std_number(std::string_view text);
// A decimal number as it is printed: no sign, no leading zeros.
std::optional<std::uint32_t> parse_std_count(std::string_view text);

// The operand of a plain access: `x`, `x,4,17` or `x,,17`. What does not end in a size
// and a number is a name as a whole, commas and all: `std::map<int,int>`.
struct StdAccess {
  std::string_view name;
  std::uint32_t size = 1;
  std::optional<std::uint64_t> value;
};
StdAccess split_std_access(std::string_view operand);

// The kind of a lock that is introduced by an event of this kind and was not defined.
constexpr LockKind implied_lock_kind(EventKind kind) {
  const bool reader = kind == EventKind::reader_acquire || kind == EventKind::reader_release ||
                      kind == EventKind::failed_reader_acquire;
  return reader ? LockKind::readers_writer : LockKind::mutex;
}

constexpr bool is_std_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

inline std::string_view std_trimmed(std::string_view text) {
  while (!text.empty() && is_std_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_std_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace heddle
