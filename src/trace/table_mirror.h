// A copy of a source's tables that may have threads of its own.
//
// Sources number what they define by themselves, so a filter cannot add to their tables.
// This copy follows them as they grow: all numbers stay the same except those of strings
// and threads, which are translated. A thread of the original can get successors, for
// traces that use one thread number for several threads in turn.
#pragma once

#include <cstdint>

#include "base/index.h"
#include "base/string_table.h"
#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

class TableMirror {
 public:
  explicit TableMirror(const Tables& original) : original_(&original) { follow(); }

  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }

  // Takes over what was added to the original since.
  void follow();
  // The original's event with its threads as they are numbered here.
  EventRecord translate(EventRecord event) const;
  // A new thread, "T1#2", that the original's number of `thread` means from now on; none
  // when there are too many threads.
  ThreadId add_successor(ThreadId thread);

 private:
  template <typename SomeTable>
  void follow_table(const SomeTable& from, SomeTable& to);
  void follow_strings();
  void follow_sites();
  void follow_threads();
  StringId translate(StringId id) const { return id.valid() ? strings_[id] : id; }
  ThreadId translate(ThreadId thread) const;

  const Tables* original_;
  Tables tables_;
  Table<StringId, StringId> strings_;       // by the original's number
  Table<ThreadId, ThreadId> threads_;       // by the original's number, the latest successor
  Table<ThreadId, std::uint32_t> lives_;    // by the original's number, how many there were
  Table<ThreadId, ThreadId> original_ids_;  // by the number here
};

}  // namespace heddle
