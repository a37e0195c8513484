// From an address of code to the source: file, line, column, function, with inlined calls.
//
// The ranges of the compilation units are read at once. A unit's lines and functions are
// copied into sorted tables when the first address in it is asked for; after that a look-up
// is two binary searches. Scopes (a function, or a call that was inlined into one) nest, so
// painting them in the order of their depth gives each address its innermost one.
//
// Code that an optimiser merged or moved has no line of its own (line 0): it gets that of the code
// next to it in the same function, before it if there is some.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

#include "base/string_table.h"

namespace heddle {

struct SourceFrame {
  std::string_view function;  // "bank::deposit(long)"; "" if not known
  std::string_view file;      // as the compiler was told, made absolute by its folder
  std::uint32_t line = 0;     // 0 if not known
  std::uint32_t column = 0;   // 0 if not known
  bool inlined = false;       // into the frame that follows

  friend bool operator==(const SourceFrame&, const SourceFrame&) = default;
};

class CodeTable {
 public:
  explicit CodeTable(Dwarf* dwarf);

  // The frames at this address (as in the file), innermost first; none if no unit has it.
  // Views are good as long as the table.
  std::vector<SourceFrame> frames_at(std::uint64_t address);
  // The compilation unit that this address belongs to, and its entry.
  std::optional<std::size_t> unit_at(std::uint64_t address) const;
  Dwarf_Die unit_entry(std::size_t unit) const { return units_[unit].entry; }
  // The innermost folder that all compilation units' sources are in; "/" or longer.
  std::string source_folder() const;

 private:
  struct Place {
    StringId file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  struct LineRow {
    std::uint64_t start = 0;
    Place place;  // without a file: nothing here
  };
  using ScopeId = Index<struct ScopeTag>;
  struct Scope {
    StringId function;
    ScopeId parent;   // what it was inlined into
    Place call_site;  // there
  };
  struct ScopeRow {
    std::uint64_t start = 0;
    ScopeId scope;
  };
  struct Unit {
    Dwarf_Die entry;
    bool read = false;
    std::vector<LineRow> lines;
    std::vector<ScopeRow> scope_rows;
  };
  struct UnitRange {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::size_t unit = 0;
  };
  struct ScopeRange {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    ScopeId scope;
    int depth = 0;
  };

  Unit* read_unit_at(std::uint64_t address);
  void read_lines(Unit& unit);
  void read_scopes(Unit& unit);
  static ScopeId scope_at(const Unit& unit, std::uint64_t address);
  static void fill_unknown_lines(Unit& unit);
  void collect_scopes(Dwarf_Die entry, ScopeId parent, int depth, std::vector<ScopeRange>& ranges);
  ScopeId add_scope(Dwarf_Die entry, ScopeId parent);
  Place call_site_of(Dwarf_Die entry);
  static std::vector<ScopeRow> paint(std::vector<ScopeRange> ranges);
  SourceFrame frame(StringId function, const Place& place, bool inlined) const;

  std::vector<Unit> units_;
  std::vector<UnitRange> unit_ranges_;  // sorted
  Table<ScopeId, Scope> scopes_;
  StringTable strings_;
};

}  // namespace heddle
