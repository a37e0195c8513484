// The accesses of memory cells in classes: same thread, location, kind, place in the source and
// locks held.
//
// Whether two accesses conflict and whether a lock keeps them apart is the same for all members of
// two classes, so that questions about many pairs of accesses are answered once per pair of
// classes. A cell that one thread alone uses, or that nobody writes, has none: nothing can be
// asked about it.
//
// Cost: two linear passes over the trace, then linear in the accesses of a cell that is looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "predict/held_sets.h"
#include "predict/places.h"

namespace heddle::predict {

struct AccessClass {
  ThreadId thread;
  LocationId location;
  EventKind kind;
  PlaceId place;
  HeldId held;
  friend bool operator==(const AccessClass&, const AccessClass&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const AccessClass& c) {
    return H::combine(std::move(h), c.thread.value(), c.location.value(), c.kind, c.place.value(),
                      c.held.value());
  }
};

struct AlikeAccesses {
  AccessClass shared;
  std::vector<EventId> events;  // in trace order
};

class AccessClasses {
 public:
  AccessClasses(const Facts& facts, const Places& places);

  std::size_t cell_count() const { return begin_.size() - 1; }
  std::size_t shared_cells() const { return shared_cells_; }
  // In the order in which they appear in the trace; until the next call.
  std::span<const AlikeAccesses> of(CellId cell);

  HeldSets& held() { return held_; }

 private:
  struct Use {
    ThreadId thread;
    bool shared = false;
    bool written = false;
    std::uint32_t count = 0;
    bool matters() const { return shared && written; }
  };

  std::vector<Use> uses() const;
  void sort_by_cell(const std::vector<Use>& uses);
  template <typename Visit>
  void for_each_access(Visit visit) const;
  AccessClass class_of(EventId e);
  void add_class(const AccessClass& shared);

  const Facts& facts_;
  const Trace& trace_;
  const Places& places_;
  HeldSets held_;
  std::size_t shared_cells_ = 0;
  std::vector<std::uint32_t> begin_;  // by cell
  std::vector<EventId> accesses_;     // cell by cell, in trace order
  // Of the cell that is looked at; the first class_count_ are in use.
  std::vector<AlikeAccesses> classes_;
  std::size_t class_count_ = 0;
  absl::flat_hash_map<AccessClass, std::size_t> number_of_;
};

}  // namespace heddle::predict
