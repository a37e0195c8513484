#include "trace/binary_payload.h"
#include "trace/binary_tables.h"

namespace heddle::binary {
namespace {

// The numbers stand in the file.
enum class Field : std::uint32_t {
  command_line = 1,
  exit_status = 2,
  seed = 3,
  clock = 4,
  started = 5,
  duration = 6,
  note = 7,
};

class FieldWriter {
 public:
  explicit FieldWriter(std::vector<std::uint8_t>& payload) : payload_(payload) {}

  template <typename F>
  void add(Field field, F write_content) {
    std::vector<std::uint8_t> content;
    PayloadWriter inner(content);
    write_content(inner);
    PayloadWriter out(payload_);
    out.number(static_cast<std::uint64_t>(field));
    out.text({reinterpret_cast<const char*>(content.data()), content.size()});
  }
  template <typename T>
  void add_number(Field field, const std::optional<T>& value) {
    if (!value) return;
    add(field, [&](PayloadWriter& out) { out.number(static_cast<std::uint64_t>(*value)); });
  }
  template <typename T>
  void add_signed(Field field, const std::optional<T>& value) {
    if (!value) return;
    const auto wide = static_cast<std::uint64_t>(std::int64_t{*value});
    add(field, [&](PayloadWriter& out) { out.number(zigzag(wide)); });
  }

 private:
  std::vector<std::uint8_t>& payload_;
};

bool read_texts(PayloadReader& in, std::vector<std::string>& texts) {
  texts.clear();
  while (!in.at_end()) {
    std::string_view text;
    if (!in.text(text)) return false;
    texts.emplace_back(text);
  }
  return true;
}

template <typename T>
bool read_number(PayloadReader& in, std::optional<T>& value) {
  std::uint64_t number = 0;
  if (!in.number(number)) return false;
  value = number;
  return true;
}

template <typename T>
bool read_signed(PayloadReader& in, std::optional<T>& value) {
  std::uint64_t number = 0;
  if (!in.number(number)) return false;
  const auto wide = static_cast<std::int64_t>(unzigzag(number));
  value = static_cast<T>(wide);
  return *value == wide;
}

bool read_clock(PayloadReader& in, std::string& clock) {
  std::string_view text;
  if (!in.text(text)) return false;
  clock = text;
  return true;
}

bool read_note(PayloadReader& in, std::map<std::string, std::string>& notes) {
  std::string_view name;
  std::string_view text;
  if (!in.text(name) || !in.text(text)) return false;
  notes.insert_or_assign(std::string(name), std::string(text));
  return true;
}

bool read_field(PayloadReader& in, std::uint32_t field, Metadata& metadata) {
  switch (static_cast<Field>(field)) {
    case Field::command_line: return read_texts(in, metadata.command_line);
    case Field::exit_status: return read_signed(in, metadata.exit_status);
    case Field::seed: return read_number(in, metadata.seed);
    case Field::clock: return read_clock(in, metadata.clock);
    case Field::started: return read_signed(in, metadata.started_nanoseconds);
    case Field::duration: return read_number(in, metadata.duration_nanoseconds);
    case Field::note: return read_note(in, metadata.notes);
  }
  return true;
}

}  // namespace

std::vector<std::uint8_t> encode_metadata(const Metadata& metadata) {
  std::vector<std::uint8_t> payload;
  FieldWriter fields(payload);
  if (!metadata.command_line.empty()) {
    fields.add(Field::command_line, [&](PayloadWriter& out) {
      for (const std::string& argument : metadata.command_line) out.text(argument);
    });
  }
  fields.add_signed(Field::exit_status, metadata.exit_status);
  fields.add_number(Field::seed, metadata.seed);
  if (!metadata.clock.empty()) {
    fields.add(Field::clock, [&](PayloadWriter& out) { out.text(metadata.clock); });
  }
  fields.add_signed(Field::started, metadata.started_nanoseconds);
  fields.add_number(Field::duration, metadata.duration_nanoseconds);
  for (const auto& note : metadata.notes) {
    fields.add(Field::note, [&](PayloadWriter& out) {
      out.text(note.first);
      out.text(note.second);
    });
  }
  return payload;
}

Result<void> decode_metadata(std::span<const std::uint8_t> payload, Metadata& metadata) {
  PayloadReader in(payload);
  while (!in.at_end()) {
    std::uint32_t field = 0;
    std::span<const std::uint8_t> content;
    if (!in.number(field) || !in.bytes(content)) return make_error("a field breaks off");
    PayloadReader inner(content);
    if (!read_field(inner, field, metadata)) return make_error("field {} is malformed", field);
  }
  return {};
}

}  // namespace heddle::binary
