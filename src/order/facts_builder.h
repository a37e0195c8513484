// Fills Facts in two passes over the trace: what there is, then what must precede what.
#pragma once

#include <array>
#include <vector>

#include "order/facts.h"

namespace heddle::order {

class Facts::Builder {
 public:
  explicit Builder(Facts& facts);
  void build();

 private:
  struct Open {
    LockId lock;
    SectionId section;
    std::uint32_t depth;
  };

  // --- The first pass ---
  void note(EventId e);
  void note_lock(EventId e);
  void open_section(EventId e, bool reader);
  void close_section(EventId e, LockId lock);
  void note_versions(EventId e);
  void note_values(EventId e);
  void note_accesses();
  void note_reader(EventId e);
  void note_synchronisation(EventId e);

  // --- The second pass ---
  void find_needs(EventId e);
  void learn(EventId from);
  void learn_from_start(EventId e);
  void learn_from_object(EventId e);
  void learn_from_memory(EventId e);
  void learn_from_barrier(EventId e);
  void learn_from_semaphore(EventId e);
  void learn_from_notify(EventId wake);
  void learn_from_locks(EventId e);
  void find_needs_in_trace_order();
  void learn_from_past_of_object(EventId e);
  void learn_from_holders(EventId failed);
  bool learn_from_section(const Section& section);
  void make_dense();

  Facts& facts_;
  const Trace& trace_;
  const ThreadOrder& order_;
  Table<ThreadId, std::vector<Open>> open_;
  Table<DescriptorId, EventId> last_io_;
  Table<OnceId, EventId> once_end_;

  // Who does what to a barrier, a semaphore or a condition, in the order of each thread.
  ThreadLists<BarrierId> arrivals_;
  ThreadLists<SemaphoreId> posts_;

  // What is being computed: what all reorderings need, then what those in trace order need.
  Needs needs_ = Needs::all;
  Table<EventId, ClockId>* clock_ = nullptr;
  bool depends_on_past_ = false;  // some event's object has to be as it was
  std::vector<ClockId> past_;     // by object of the types that can be depended on
  std::array<std::size_t, kObjectTypeCount> first_object_{};

  ThreadId thread_;  // of the event whose needs are being found
  ClockId now_;      // what is known of them so far
  ClockId before_;   // what the thread knew before it
  Table<ThreadId, ClockId> last_clock_;
  Table<ThreadId, EventId> last_wait_;
  std::vector<std::vector<std::uint32_t>> arrived_;  // by barrier, then thread: how often so far
  std::vector<std::vector<std::uint32_t>> waited_;   // by semaphore, then thread
};

}  // namespace heddle::order
