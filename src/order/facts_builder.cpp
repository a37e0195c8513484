#include "order/facts_builder.h"

#include <algorithm>

namespace heddle::order {
namespace {

// Up to so many numbers the clocks are also kept as rows, which are faster to look at.
constexpr std::size_t kDenseLimit = std::size_t{1} << 24;

// Whether what an event of this kind does or may do depends on the past of its object.
bool depends_on_past(EventKind kind) {
  switch (kind) {
    case EventKind::failed_acquire:
    case EventKind::failed_reader_acquire:
    case EventKind::wake:
    case EventKind::timeout:
    case EventKind::semaphore_wait:
    case EventKind::failed_semaphore_wait:
    case EventKind::barrier_leave:
    case EventKind::once_begin:
    case EventKind::once_pass: return true;
    default: return false;
  }
}

bool has_past(ObjectType type) {
  return type == ObjectType::condition || type == ObjectType::semaphore ||
         type == ObjectType::barrier || type == ObjectType::once;
}

}  // namespace

Facts::Builder::Builder(Facts& facts)
    : facts_(facts),
      trace_(facts.trace_),
      order_(facts.derived_.order),
      open_(facts.thread_count()),
      last_io_(trace_.tables.descriptors.size(), EventId::none()),
      once_end_(trace_.tables.onces.size(), EventId::none()),
      last_clock_(facts.thread_count(), Clocks::zero()),
      last_wait_(facts.thread_count(), EventId::none()),
      arrived_(trace_.tables.barriers.size(), std::vector<std::uint32_t>(facts.thread_count(), 0)),
      waited_(trace_.tables.semaphores.size(),
              std::vector<std::uint32_t>(facts.thread_count(), 0)) {}

void Facts::Builder::build() {
  const Cells& cells = facts_.derived_.cells;
  for (CellId cell : indices<CellId>(cells.size())) facts_.versions_.add({kInitialWrite, cell});
  facts_.first_version_.resize(trace_.size(), VersionId::none());
  for (EventId e : trace_.events()) note(e);
  facts_.writes_.build(cells.size());
  facts_.acquires_.build(trace_.tables.locks.size());
  facts_.writer_acquires_.build(trace_.tables.locks.size());
  if (facts_.values_) {
    depends_on_past_ = true;
    facts_.version_values_ = VersionValues(trace_, cells);
    for (EventId e : trace_.events()) note_values(e);
  }
  note_accesses();
  arrivals_.build(trace_.tables.barriers.size());
  posts_.build(trace_.tables.semaphores.size());
  facts_.notifies_.build(trace_.tables.conditions.size());
  facts_.learns_.resize(trace_.size(), false);
  clock_ = &facts_.clock_;
  clock_->resize(trace_.size(), Clocks::zero());
  for (EventId e : trace_.events()) {
    find_needs(e);
    facts_.learns_[e] = now_ != before_;
  }
  make_dense();
  if (depends_on_past_) find_needs_in_trace_order();
}

// --- What there is ---

void Facts::Builder::note(EventId e) {
  const EventKind kind = trace_.kind(e);
  depends_on_past_ = depends_on_past_ || depends_on_past(kind);
  switch (object_type(kind)) {
    case ObjectType::lock: return note_lock(e);
    case ObjectType::location: return note_versions(e);
    case ObjectType::region:
      (kind == EventKind::alloc ? facts_.alloc_of_ : facts_.free_of_)[trace_.region(e)] = e;
      return;
    case ObjectType::descriptor:
      if (EventId& last = last_io_[trace_.descriptor(e)]; last.valid()) {
        facts_.previous_io_.pairs.emplace_back(e, last);
      }
      last_io_[trace_.descriptor(e)] = e;
      return;
    default: return note_synchronisation(e);
  }
}

void Facts::Builder::note_synchronisation(EventId e) {
  const Node at = facts_.node(e);
  switch (trace_.kind(e)) {
    case EventKind::fork: facts_.fork_of_[trace_.other_thread(e)] = e; break;
    case EventKind::wait:
      if (trace_.lock_of_wait(e).valid()) close_section(e, trace_.lock_of_wait(e));
      last_wait_[at.thread] = e;
      break;
    case EventKind::wake:
      if (const EventId wait = last_wait_[at.thread]; wait.valid()) {
        facts_.wakes_[at.thread].push_back(
            {at.index, facts_.node(wait).index, trace_.condition(e)});
      }
      break;
    case EventKind::notify:
    case EventKind::notify_all:
      facts_.notifies_.add(trace_.condition(e), at.thread, at.index);
      break;
    case EventKind::semaphore_post: posts_.add(trace_.semaphore(e), at.thread, at.index); break;
    case EventKind::failed_semaphore_wait:
      facts_.semaphore_fails_[trace_.semaphore(e)] = true;
      break;
    case EventKind::barrier_arrive: arrivals_.add(trace_.barrier(e), at.thread, at.index); break;
    case EventKind::barrier_leave:
      if (trace_.detail(e) != 0) facts_.reports_serial_[trace_.barrier(e)] = true;
      break;
    case EventKind::once_end: once_end_[trace_.once(e)] = e; break;
    default: break;
  }
}

void Facts::Builder::note_lock(EventId e) {
  switch (trace_.kind(e)) {
    case EventKind::acquire: return open_section(e, false);
    case EventKind::reader_acquire: return open_section(e, true);
    case EventKind::release:
    case EventKind::reader_release: return close_section(e, trace_.lock(e));
    case EventKind::failed_acquire:
    case EventKind::failed_reader_acquire: facts_.lock_fails_[trace_.lock(e)] = true; return;
    default: return;
  }
}

void Facts::Builder::open_section(EventId e, bool reader) {
  const Node at = facts_.node(e);
  const LockId lock = trace_.lock(e);
  for (Open& open : open_[at.thread]) {
    if (open.lock == lock) {
      ++open.depth;
      return;
    }
  }
  const SectionId section = facts_.sections_.add({at.thread, lock, reader, at.index, kNever});
  open_[at.thread].push_back({lock, section, 1});
  facts_.sections_of_[at.thread].push_back(section);
  facts_.acquires_.add(lock, at.thread, at.index, section.value());
  if (!reader) facts_.writer_acquires_.add(lock, at.thread, at.index, section.value());
}

void Facts::Builder::close_section(EventId e, LockId lock) {
  const Node at = facts_.node(e);
  std::vector<Open>& open = open_[at.thread];
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].lock != lock || --open[i].depth > 0) continue;
    facts_.sections_[open[i].section].release = at.index;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void Facts::Builder::note_versions(EventId e) {
  if (!writes(trace_.kind(e))) return;
  const Node at = facts_.node(e);
  facts_.first_version_[e] = facts_.versions_.end_index();
  for (CellId cell : facts_.cells(e)) {
    const VersionId version = facts_.versions_.add({e, cell});
    facts_.writes_.add(cell, at.thread, at.index, version.value());
  }
}

void Facts::Builder::note_values(EventId e) {
  const EventKind kind = trace_.kind(e);
  if (!is_access(kind)) return;
  for (CellId cell : facts_.cells(e)) {
    if (reads(kind)) {
      const VersionId seen = facts_.seen(e, cell);
      const EventId writer = facts_.writer(seen);
      const bool recorded = writer != kInitialWrite && trace_.value(writer).has_value();
      facts_.version_values_.note_read(seen, recorded, e, cell);
    }
    if (writes(kind)) facts_.version_values_.note_write(facts_.version(e, cell), e, cell);
  }
}

void Facts::Builder::note_accesses() {
  if (facts_.values_) facts_.may_vary_.resize(trace_.size(), false);
  for (EventId e : trace_.events()) {
    if (!is_access(trace_.kind(e))) continue;
    const Node at = facts_.node(e);
    const RegionId region = facts_.region_of(e);
    if (region.valid() && (facts_.alloc_of_[region].valid() || facts_.free_of_[region].valid())) {
      facts_.accesses_.add(region, at.thread, at.index);
    }
    if (reads(trace_.kind(e))) note_reader(e);
  }
  facts_.accesses_.build(trace_.tables.regions.size());
  facts_.readers_.build(facts_.versions_.size());
}

void Facts::Builder::note_reader(EventId e) {
  const Node at = facts_.node(e);
  for (CellId cell : facts_.cells(e)) {
    if (facts_.must_see(e, cell)) {
      facts_.readers_.add(facts_.seen(e, cell), at.thread, at.index);
    } else {
      facts_.may_vary_[e] = true;
    }
  }
}

// --- What must precede what ---

void Facts::Builder::find_needs(EventId e) {
  thread_ = trace_.thread(e);
  now_ = before_ = last_clock_[thread_];
  learn_from_start(e);
  learn_from_object(e);
  if (needs_ == Needs::trace_order) learn_from_past_of_object(e);
  const EventKind kind = trace_.kind(e);
  if (now_ != before_ || kind == EventKind::acquire || kind == EventKind::reader_acquire) {
    learn_from_locks(e);
  }
  (*clock_)[e] = last_clock_[thread_] = now_;
}

void Facts::Builder::learn(EventId from) {
  const Node at = facts_.node(from);
  if (at.thread == thread_) return;
  now_ = facts_.clocks_.join(now_, (*clock_)[from]);
  if (facts_.clocks_.component(now_, at.thread) <= at.index) {
    now_ = facts_.clocks_.with(now_, at.thread, at.index + 1);
  }
}

void Facts::Builder::learn_from_start(EventId e) {
  if (facts_.node(e).index == 0 && facts_.fork_of_[thread_].valid()) {
    learn(facts_.fork_of_[thread_]);
  }
}

void Facts::Builder::learn_from_object(EventId e) {
  switch (trace_.kind(e)) {
    case EventKind::join: {
      const ThreadId other = trace_.other_thread(e);
      if (facts_.fork_of_[other].valid()) learn(facts_.fork_of_[other]);
      const auto events = order_.events_of(other);
      if (!events.empty()) learn(events.back());
      break;
    }
    case EventKind::io:
      if (const EventId last = facts_.previous_io_.at(e); last.valid()) learn(last);
      break;
    case EventKind::once_pass:
      if (once_end_[trace_.once(e)].valid()) learn(once_end_[trace_.once(e)]);
      break;
    case EventKind::free:
      if (facts_.alloc_of_[trace_.region(e)].valid()) learn(facts_.alloc_of_[trace_.region(e)]);
      break;
    case EventKind::wait: last_wait_[thread_] = e; break;
    case EventKind::wake: learn_from_notify(e); break;
    case EventKind::semaphore_wait: learn_from_semaphore(e); break;
    case EventKind::barrier_arrive: ++arrived_[trace_.object(e)][thread_.value()]; break;
    case EventKind::barrier_leave: learn_from_barrier(e); break;
    default:
      if (is_access(trace_.kind(e))) learn_from_memory(e);
  }
}

void Facts::Builder::learn_from_memory(EventId e) {
  const RegionId region = facts_.region_of(e);
  if (region.valid() && facts_.alloc_of_[region].valid()) learn(facts_.alloc_of_[region]);
  if (!reads(trace_.kind(e))) return;
  for (CellId cell : facts_.cells(e)) {
    const EventId writer = facts_.writer(facts_.seen(e, cell));
    // In trace order a read sees the write that it saw, whatever else holds the same value.
    const bool needed = needs_ == Needs::trace_order || facts_.must_see(e, cell);
    if (writer != kInitialWrite && needed) learn(writer);
  }
}

// A thread leaves a barrier before it arrives again. So where no more threads than parties
// ever arrive, everybody's n-th arrival belongs to the n-th generation.
void Facts::Builder::learn_from_barrier(EventId e) {
  const BarrierId barrier = trace_.barrier(e);
  const auto rows = arrivals_.rows(barrier);
  if (rows.size() != trace_.tables.barriers[barrier].parties) return;
  const std::uint32_t generation = arrived_[barrier.value()][thread_.value()] - 1;
  for (const auto& row : rows) {
    learn(facts_.event({row.thread, arrivals_.items(row)[generation].index}));
  }
}

// Where one thread alone posts, a thread's n-th wait needs n posts without the initial ones.
void Facts::Builder::learn_from_semaphore(EventId e) {
  const SemaphoreId semaphore = trace_.semaphore(e);
  const std::uint32_t waits = ++waited_[semaphore.value()][thread_.value()];
  const std::uint32_t initial = trace_.tables.semaphores[semaphore].initial;
  const auto rows = posts_.rows(semaphore);
  if (rows.size() != 1 || waits <= initial) return;
  learn(facts_.event({rows[0].thread, posts_.items(rows[0])[waits - initial - 1].index}));
}

// Where one thread alone notifies, a wake needs its first notify that need not come before the
// wait.
void Facts::Builder::learn_from_notify(EventId wake) {
  const auto rows = facts_.notifies_.rows(trace_.condition(wake));
  const EventId wait = last_wait_[thread_];
  if (rows.size() != 1 || !wait.valid() || rows[0].thread == thread_) return;
  const std::uint32_t before = facts_.clocks_.component((*clock_)[wait], rows[0].thread);
  const auto* first = first_from(facts_.notifies_.items(rows[0]), before);
  const EventId notify = first != nullptr ? facts_.event({rows[0].thread, first->index}) : wake;
  if (notify < wake) learn(notify);
}

// --- What a reordering in trace order needs besides ---

void Facts::Builder::find_needs_in_trace_order() {
  needs_ = Needs::trace_order;
  clock_ = &facts_.trace_order_clock_;
  clock_->resize(trace_.size(), Clocks::zero());
  std::size_t objects = 0;
  for (std::size_t type = 0; type < kObjectTypeCount; ++type) {
    first_object_[type] = objects;
    if (has_past(static_cast<ObjectType>(type))) {
      objects += trace_.tables.object_count(static_cast<ObjectType>(type));
    }
  }
  past_.assign(objects, Clocks::zero());
  for (auto& counts : arrived_) std::fill(counts.begin(), counts.end(), 0);
  for (auto& counts : waited_) std::fill(counts.begin(), counts.end(), 0);
  for (ThreadId t : indices(last_clock_)) {
    last_clock_[t] = Clocks::zero();
    open_[t].clear();
  }
  for (EventId e : trace_.events()) find_needs(e);
}

void Facts::Builder::learn_from_past_of_object(EventId e) {
  const EventKind kind = trace_.kind(e);
  const ObjectType type = object_type(kind);
  if (type == ObjectType::lock) {
    if (depends_on_past(kind)) learn_from_holders(e);
    return;
  }
  if (!has_past(type)) return;
  ClockId& past = past_[first_object_[static_cast<std::size_t>(type)] + trace_.object(e)];
  if (depends_on_past(kind)) now_ = facts_.clocks_.join(now_, past);
  const Node at = facts_.node(e);
  past = facts_.clocks_.with(facts_.clocks_.join(past, now_), at.thread, at.index + 1);
}

// Somebody who held the lock then has to hold it again.
void Facts::Builder::learn_from_holders(EventId failed) {
  const bool as_reader = trace_.kind(failed) == EventKind::failed_reader_acquire;
  const auto& lists = as_reader ? facts_.writer_acquires_ : facts_.acquires_;
  for (const auto& row : lists.rows(trace_.lock(failed))) {
    for (const auto& item : lists.items(row)) {
      const Section& section = facts_.section(SectionId(item.payload));
      const EventId acquire = facts_.event({row.thread, section.acquire});
      if (acquire > failed) break;
      const bool held =
          section.release == kNever || facts_.event({row.thread, section.release}) > failed;
      if (held) learn(acquire);
    }
  }
}

void Facts::Builder::learn_from_locks(EventId e) {
  const std::uint32_t index = facts_.node(e).index;
  bool again = true;
  while (again) {
    again = false;
    // An acquire's own section counts, one that the event closes too.
    facts_.for_each_held(thread_, index + 1, [&](SectionId held) {
      again |= learn_from_section(facts_.section(held));
    });
  }
}

// Learns of the release of every section that has begun before and excludes the given one.
bool Facts::Builder::learn_from_section(const Section& section) {
  const auto& lists = section.reader ? facts_.writer_acquires_ : facts_.acquires_;
  const ClockId before = now_;
  for (const auto& row : lists.rows(section.lock)) {
    if (row.thread == thread_) continue;
    const std::uint32_t known = facts_.clocks_.component(now_, row.thread);
    const auto* begun = last_below(lists.items(row), known);
    if (begun == nullptr) continue;
    const Section& other = facts_.section(SectionId(begun->payload));
    if (other.release == kNever || other.release < known) continue;
    learn(facts_.event({other.thread, other.release}));
  }
  return now_ != before;
}

void Facts::Builder::make_dense() {
  const std::size_t threads = facts_.thread_count();
  if (trace_.size() * threads > kDenseLimit) return;
  facts_.dense_.resize(trace_.size() * threads);
  for (EventId e : trace_.events()) {
    for (ThreadId t : indices<ThreadId>(threads)) {
      facts_.dense_[e.value() * threads + t.value()] =
          facts_.clocks_.component(facts_.clock_[e], t);
    }
  }
}

}  // namespace heddle::order
