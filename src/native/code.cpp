#include "native/code.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "native/dwarf_entry.h"

namespace heddle {
namespace {

// The last row that starts at or before the address, or null.
template <typename Row>
const Row* row_at(const std::vector<Row>& rows, std::uint64_t address) {
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), address,
                       [](std::uint64_t wanted, const Row& row) { return wanted < row.start; });
  return after == rows.begin() ? nullptr : &*std::prev(after);
}

// The folder of a unit's main file.
std::filesystem::path folder_of(Dwarf_Die unit) {
  const std::filesystem::path name = plain_name(unit);
  const std::filesystem::path path = std::filesystem::path(compile_folder(unit)) / name;
  return path.lexically_normal().parent_path();
}

std::filesystem::path common_folder(const std::filesystem::path& a,
                                    const std::filesystem::path& b) {
  std::filesystem::path common;
  auto in_a = a.begin();
  for (auto in_b = b.begin(); in_a != a.end() && in_b != b.end() && *in_a == *in_b; ++in_a) {
    common /= *in_b++;
  }
  return common;
}

}  // namespace

CodeTable::CodeTable(Dwarf* dwarf) {
  for_each_unit(dwarf, [&](Dwarf_Die entry) {
    for_each_range(entry, [&](std::uint64_t start, std::uint64_t end) {
      unit_ranges_.push_back({start, end, units_.size()});
    });
    units_.push_back({entry, false, {}, {}});
  });
  std::sort(unit_ranges_.begin(), unit_ranges_.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.start < b.start; });
}

std::optional<std::size_t> CodeTable::unit_at(std::uint64_t address) const {
  const UnitRange* const range = row_at(unit_ranges_, address);
  if (range == nullptr || address >= range->end) return std::nullopt;
  return range->unit;
}

CodeTable::Unit* CodeTable::read_unit_at(std::uint64_t address) {
  const auto index = unit_at(address);
  if (!index) return nullptr;
  Unit& unit = units_[*index];
  if (!unit.read) {
    unit.read = true;
    read_lines(unit);
    read_scopes(unit);
    fill_unknown_lines(unit);
  }
  return &unit;
}

std::string CodeTable::source_folder() const {
  std::filesystem::path common;
  for (const Unit& unit : units_) {
    const auto folder = folder_of(unit.entry);
    common = &unit == units_.data() ? folder : common_folder(common, folder);
  }
  return common.string();
}

void CodeTable::read_lines(Unit& unit) {
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit.entry, &lines, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* const line = dwarf_onesrcline(lines, i);
    Dwarf_Addr start = 0;
    bool ends = false;
    int number = 0, column = 0;
    if (dwarf_lineaddr(line, &start) != 0) continue;
    dwarf_lineendsequence(line, &ends);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    const char* const file = ends ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    const StringId name = file != nullptr ? strings_.intern(file) : StringId::none();
    const LineRow row = {
        start, {name, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(column)}};
    unit.lines.push_back(row);
  }
  std::stable_sort(unit.lines.begin(), unit.lines.end(),
                   [](const LineRow& a, const LineRow& b) { return a.start < b.start; });
}

void CodeTable::read_scopes(Unit& unit) {
  std::vector<ScopeRange> ranges;
  collect_scopes(unit.entry, ScopeId::none(), 0, ranges);
  unit.scope_rows = paint(std::move(ranges));
}

CodeTable::ScopeId CodeTable::scope_at(const Unit& unit, std::uint64_t address) {
  const ScopeRow* const row = row_at(unit.scope_rows, address);
  return row != nullptr ? row->scope : ScopeId::none();
}

void CodeTable::fill_unknown_lines(Unit& unit) {
  constexpr std::size_t kReach = 64;
  std::vector<LineRow>& rows = unit.lines;
  const auto is_like = [&](std::size_t i, std::size_t other) {
    return rows[other].place.file.valid() && rows[other].place.line != 0 &&
           scope_at(unit, rows[other].start) == scope_at(unit, rows[i].start);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].place.file.valid() || rows[i].place.line != 0) continue;
    std::size_t near = i;
    for (std::size_t k = 1; near == i && k <= kReach && k <= i; ++k) {
      if (is_like(i, i - k)) near = i - k;
    }
    for (std::size_t k = 1; near == i && k <= kReach && i + k < rows.size(); ++k) {
      if (is_like(i, i + k)) near = i + k;
    }
    rows[i].place = rows[near].place;
  }
}

void CodeTable::collect_scopes(Dwarf_Die entry, ScopeId parent, int depth,
                               std::vector<ScopeRange>& ranges) {
  for_each_child(entry, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    ScopeId scope = parent;
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
      bool has_code = false;
      for_each_range(child, [&](std::uint64_t start, std::uint64_t end) {
        if (!has_code)
          scope = add_scope(child, tag == DW_TAG_subprogram ? ScopeId::none() : parent);
        has_code = true;
        ranges.push_back({start, end, scope, depth});
      });
    }
    if (dwarf_haschildren(&child) > 0) collect_scopes(child, scope, depth + 1, ranges);
  });
}

CodeTable::ScopeId CodeTable::add_scope(Dwarf_Die entry, ScopeId parent) {
  return scopes_.add({strings_.intern(full_name(entry)), parent, call_site_of(entry)});
}

CodeTable::Place CodeTable::call_site_of(Dwarf_Die entry) {
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto file = number_attribute(entry, DW_AT_call_file);
  if (!file || dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0) {
    return {};
  }
  const char* const name = dwarf_filesrc(files, *file, nullptr, nullptr);
  const auto number = [&](unsigned attribute) {
    return static_cast<std::uint32_t>(number_attribute(entry, attribute).value_or(0));
  };
  return {name != nullptr ? strings_.intern(name) : StringId::none(), number(DW_AT_call_line),
          number(DW_AT_call_column)};
}

// Rows that say from where on which scope is the innermost; none() in the gaps.
std::vector<CodeTable::ScopeRow> CodeTable::paint(std::vector<ScopeRange> ranges) {
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const ScopeRange& a, const ScopeRange& b) { return a.depth < b.depth; });
  std::map<std::uint64_t, ScopeId> canvas = {{0, ScopeId::none()}};
  for (const ScopeRange& range : ranges) {
    const ScopeId after = std::prev(canvas.upper_bound(range.end))->second;
    canvas.erase(canvas.lower_bound(range.start), canvas.lower_bound(range.end));
    canvas[range.start] = range.scope;
    canvas.try_emplace(range.end, after);
  }
  std::vector<ScopeRow> rows;
  rows.reserve(canvas.size());
  for (const auto& [start, scope] : canvas) rows.push_back({start, scope});
  return rows;
}

SourceFrame CodeTable::frame(StringId function, const Place& place, bool inlined) const {
  return {strings_[function], strings_[place.file], place.line, place.column, inlined};
}

std::vector<SourceFrame> CodeTable::frames_at(std::uint64_t address) {
  std::vector<SourceFrame> frames;
  const Unit* const unit = read_unit_at(address);
  if (unit == nullptr) return frames;
  const LineRow* const line = row_at(unit->lines, address);
  Place place = line != nullptr ? line->place : Place();
  if (!place.file.valid()) place = Place();
  ScopeId scope = scope_at(*unit, address);
  if (!scope.valid() && place.file.valid()) frames.push_back(frame(StringId::none(), place, false));
  while (scope.valid()) {
    const Scope& here = scopes_[scope];
    frames.push_back(frame(here.function, place, here.parent.valid()));
    place = here.call_site;
    scope = here.parent;
  }
  return frames;
}

}  // namespace heddle
