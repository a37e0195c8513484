#include "finding/suppressions.h"

#include <algorithm>
#include <array>

#include "base/input.h"
#include "base/nearest.h"

namespace heddle {
namespace {

// What an entry of a type can cover; none: nothing that Heddle reports.
struct Type {
  std::string_view name;
  std::vector<FindingKind> kinds;
};

const std::vector<Type>& types() {
  using Kind = FindingKind;
  static const std::vector<Type> known = {
      {"race", {Kind::race}},
      {"race_top", {Kind::race}},
      {"deadlock", {Kind::deadlock}},
      {"mutex", {Kind::misuse}},
      {"thread", {}},
      {"signal", {}},
      {"called_from_lib", {}},
      {"assertion", {Kind::assertion}},
      {"crash", {Kind::crash, Kind::exit_status}},
      {"memory", {Kind::memory}},
      {"livelock", {Kind::livelock}},
      {"atomicity", {Kind::atomicity}},
      {"nondeterminism", {Kind::nondeterminism}},
      {"finding", {}},
  };
  return known;
}

const Type* find_type(std::string_view name) {
  const auto type = std::find_if(types().begin(), types().end(),
                                 [&](const Type& known) { return known.name == name; });
  return type == types().end() ? nullptr : &*type;
}

Error unknown_type(std::string_view name, const std::string& place) {
  std::vector<std::string> names;
  for (const Type& type : types()) names.emplace_back(type.name);
  const auto near = nearest(name, names);
  return make_error("{}: unknown type '{}'{}", place, name,
                    near ? fmt::format("; did you mean '{}'?", *near) : "");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Whether the parts between the stars come one after the other; the first one right at the
// beginning if it is tied to it.
bool parts_follow(std::string_view pattern, std::string_view text, bool at_begin, bool at_end) {
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (last && at_end) return text.ends_with(part) && (!at_begin || text == part);
    const std::size_t at = text.find(part);
    if (at == std::string_view::npos || (at_begin && at != 0)) return false;
    if (last) return true;
    text.remove_prefix(at + part.size());
    pattern.remove_prefix(star + 1);
    at_begin = false;
  }
}

// All texts that a pattern may match. `top` leaves out the callers.
std::vector<std::string_view> texts_of(const Finding& finding, bool top) {
  std::vector<std::string_view> texts;
  for (const FindingEvent& event : finding.events) {
    texts.insert(texts.end(), {event.site, event.operation});
    const std::size_t frames =
        top ? std::min<std::size_t>(1, event.stack.size()) : event.stack.size();
    texts.insert(texts.end(), event.stack.begin(),
                 event.stack.begin() + static_cast<std::ptrdiff_t>(frames));
  }
  return texts;
}

bool covers(const Suppression& entry, const Finding& finding, std::string_view id) {
  if (entry.type == "finding") return id.starts_with(entry.pattern);
  const Type* type = find_type(entry.type);
  if (std::find(type->kinds.begin(), type->kinds.end(), finding.kind) == type->kinds.end()) {
    return false;
  }
  const auto texts = texts_of(finding, entry.type == "race_top");
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
    return suppression_matches(entry.pattern, text);
  });
}

}  // namespace

bool suppression_matches(std::string_view pattern, std::string_view text) {
  const bool at_begin = pattern.starts_with('^');
  if (at_begin) pattern.remove_prefix(1);
  const bool at_end = pattern.ends_with('$');
  if (at_end) pattern.remove_suffix(1);
  return parts_follow(pattern, text, at_begin, at_end);
}

Result<void> Suppressions::read(const std::string& path) {
  TRY(auto input, Input::open(path));
  LineReader lines(std::move(input));
  std::string_view line;
  while (true) {
    TRY(const bool more, lines.next(line));
    if (!more) return {};
    TRY_VOID(add_line(line, fmt::format("{}:{}", path, lines.line_number())));
  }
}

Result<void> Suppressions::parse(std::string_view text, const std::string& name) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    TRY_VOID(add_line(text.substr(0, end), fmt::format("{}:{}", name, number)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

Result<void> Suppressions::add_line(std::string_view line, const std::string& place) {
  line = trimmed(line);
  if (line.empty() || line.starts_with('#')) return {};
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return make_error("{}: '{}' is no suppression; write TYPE:PATTERN", place, line);
  }
  const std::string_view type = trimmed(line.substr(0, colon));
  const std::string_view pattern = trimmed(line.substr(colon + 1));
  if (find_type(type) == nullptr) return unknown_type(type, place);
  if (pattern.empty()) return make_error("{}: '{}:' lacks a pattern", place, type);
  entries_.push_back({std::string(type), std::string(pattern), place});
  return {};
}

bool Suppressions::cover(const Finding& finding, std::string_view id) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Suppression& each) {
    return covers(each, finding, id);
  });
  if (entry == entries_.end()) return false;
  ++entry->hits;
  return true;
}

std::vector<Suppression> Suppressions::unused() const {
  std::vector<Suppression> unused;
  for (const Suppression& entry : entries_) {
    const bool about_something = entry.type == "finding" || !find_type(entry.type)->kinds.empty();
    if (entry.hits == 0 && about_something) unused.push_back(entry);
  }
  return unused;
}

std::string suppression_entry(const Finding& finding, std::string_view id) {
  return fmt::format("# {}: {}\nfinding:{}\n", name_of(finding.kind), finding.message, id);
}

}  // namespace heddle
