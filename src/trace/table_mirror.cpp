#include "trace/table_mirror.h"

#include <fmt/format.h>

namespace heddle {

template <typename SomeTable>
void TableMirror::follow_table(const SomeTable& from, SomeTable& to) {
  while (to.size() < from.size()) {
    auto info = from[to.end_index()];
    info.name = translate(info.name);
    to.add(info);
  }
}

void TableMirror::follow() {
  follow_strings();
  follow_sites();
  follow_threads();
  follow_table(original_->locations, tables_.locations);
  follow_table(original_->regions, tables_.regions);
  follow_table(original_->locks, tables_.locks);
  follow_table(original_->conditions, tables_.conditions);
  follow_table(original_->semaphores, tables_.semaphores);
  follow_table(original_->barriers, tables_.barriers);
  follow_table(original_->onces, tables_.onces);
  follow_table(original_->descriptors, tables_.descriptors);
}

void TableMirror::follow_strings() {
  while (strings_.size() < original_->strings.size()) {
    strings_.add(tables_.strings.intern(original_->strings[strings_.end_index()]));
  }
}

void TableMirror::follow_sites() {
  while (tables_.sites.size() < original_->sites.size()) {
    Site site = original_->sites[tables_.sites.end_index()];
    site.file = translate(site.file);
    site.function = translate(site.function);
    tables_.sites.add(site);
  }
}

void TableMirror::follow_threads() {
  while (threads_.size() < original_->threads.size()) {
    const ThreadId original = threads_.end_index();
    threads_.add(tables_.threads.add({translate(original_->threads[original].name)}));
    lives_.add(1);
    original_ids_.add(original);
  }
}

EventRecord TableMirror::translate(EventRecord event) const {
  event.thread = translate(event.thread);
  if (event.kind == EventKind::fork || event.kind == EventKind::join) {
    event.object = translate(ThreadId(event.object)).value();
  }
  return event;
}

// A number that the original does not define must stay undefined here.
ThreadId TableMirror::translate(ThreadId thread) const {
  if (threads_.contains(thread)) return threads_[thread];
  return tables_.threads.contains(thread) ? ThreadId::none() : thread;
}

ThreadId TableMirror::add_successor(ThreadId thread) {
  if (tables_.threads.size() >= kMaxThreads) return ThreadId::none();
  const ThreadId original = original_ids_[thread];
  const std::string base = original_->describe(original);
  const std::string name = fmt::format("{}#{}", base, ++lives_[original]);
  threads_[original] = tables_.threads.add({tables_.strings.intern(name)});
  original_ids_.add(original);
  return threads_[original];
}

}  // namespace heddle
