// What versions of memory are known to hold, for the question "would this read see the same
// value in another version?" (docs/semantics.md, by value).
//
// A version's value is the one that its write recorded, or else the one that the reads which
// saw it recorded, unless two of them disagree. Values are cut to the bytes of a cell.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/index.h"
#include "trace/cells.h"
#include "trace/trace.h"

namespace heddle::order {

using VersionId = Index<struct VersionTag>;

class VersionValues {
 public:
  VersionValues() = default;
  VersionValues(const Trace& trace, const Cells& cells);

  // To be told of all accesses in the order of the trace. `recorded`: by the write itself.
  void note_write(VersionId version, EventId write, CellId cell);
  void note_read(VersionId version, bool write_has_value, EventId read, CellId cell);

  // Whether the version holds what the read saw in the cell, both being known.
  bool same(EventId read, CellId cell, VersionId version) const;

 private:
  struct Left {
    bool known = false;
    bool doubtful = false;
    std::uint64_t value = 0;
  };

  void find_bytes();
  void note(VersionId version, std::optional<std::uint64_t> value);
  std::optional<std::uint64_t> part(LocationId location, CellId cell,
                                    std::optional<std::uint64_t> value) const;

  const Trace* trace_ = nullptr;
  const Cells* cells_ = nullptr;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bytes_;  // by cell: first, past the last
  std::vector<Left> left_;                                      // by version
};

}  // namespace heddle::order
