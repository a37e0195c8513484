// For each key (a piece of memory, a version of it, a lock), where each thread has to do with
// it: lists of indices in the thread, ascending.
//
// All entries stand in one array, key after key and thread after thread, so that "the last
// write of this cell by that thread before index i" is two binary searches in a row of
// neighbours and no allocation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "trace/event.h"

namespace heddle::order {

struct ThreadItem {
  std::uint32_t index;    // in the thread
  std::uint32_t payload;  // whatever the maker of the list wants to find there
};

// The first item whose index is not below the limit; null when there is none.
inline const ThreadItem* first_from(std::span<const ThreadItem> items, std::uint32_t limit) {
  const auto found =
      std::lower_bound(items.begin(), items.end(), limit,
                       [](const ThreadItem& i, std::uint32_t x) { return i.index < x; });
  return found == items.end() ? nullptr : &*found;
}

// The last item whose index is below the limit; null when there is none.
inline const ThreadItem* last_below(std::span<const ThreadItem> items, std::uint32_t limit) {
  const auto after =
      std::lower_bound(items.begin(), items.end(), limit,
                       [](const ThreadItem& i, std::uint32_t x) { return i.index < x; });
  return after == items.begin() ? nullptr : &*(after - 1);
}

template <typename Key>
class ThreadLists {
 public:
  using Item = ThreadItem;
  // The part of a key's entries that one thread has.
  struct Row {
    ThreadId thread;
    std::uint32_t begin;
    std::uint32_t end;
  };

  // Entries of one thread have to come in the order of their indices.
  void add(Key key, ThreadId thread, std::uint32_t index, std::uint32_t payload = 0) {
    entries_.push_back({key, thread, {index, payload}});
  }

  // To be called once, after the last add().
  void build(std::size_t keys);

  std::span<const Row> rows(Key key) const {
    return {rows_.data() + first_row_[key.value()], rows_.data() + first_row_[key.value() + 1]};
  }
  std::span<const Item> items(const Row& row) const {
    return {items_.data() + row.begin, items_.data() + row.end};
  }
  std::span<const Item> items(Key key, ThreadId thread) const {
    const std::span<const Row> all = rows(key);
    const auto row = std::lower_bound(all.begin(), all.end(), thread,
                                      [](const Row& r, ThreadId t) { return r.thread < t; });
    return row != all.end() && row->thread == thread ? items(*row) : std::span<const Item>();
  }

 private:
  struct Entry {
    Key key;
    ThreadId thread;
    Item item;
  };

  std::vector<Entry> entries_;  // empty once built
  std::vector<std::uint32_t> first_row_;
  std::vector<Row> rows_;
  std::vector<Item> items_;
};

template <typename Key>
void ThreadLists<Key>::build(std::size_t keys) {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.thread < b.thread;
  });
  items_.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const auto at = static_cast<std::uint32_t>(items_.size());
    const bool new_key = first_row_.size() <= entry.key.value();
    while (first_row_.size() <= entry.key.value()) {
      first_row_.push_back(static_cast<std::uint32_t>(rows_.size()));
    }
    if (new_key || rows_.back().thread != entry.thread) rows_.push_back({entry.thread, at, at});
    items_.push_back(entry.item);
    rows_.back().end = at + 1;
  }
  while (first_row_.size() <= keys) first_row_.push_back(static_cast<std::uint32_t>(rows_.size()));
  std::vector<Entry>().swap(entries_);
}

}  // namespace heddle::order
