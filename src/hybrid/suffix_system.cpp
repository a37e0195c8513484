#include "hybrid/suffix_system.h"

#include "explore/wrong.h"

namespace heddle::hybrid {

SuffixSystem::SuffixSystem(System& system, const SuffixSettings& settings)
    : SystemView(system, settings.first), settings_(settings), stopped_(system.thread_count()) {
  if (settings.paused.valid()) system.next_operation(settings.paused, paused_);
}

bool SuffixSystem::leaves_out(ThreadId thread) const {
  if (thread == settings_.paused || stopped_[thread]) return true;
  return settings_.chop != nullptr && !settings_.chop->is_live(settings_.control(thread));
}

void SuffixSystem::next_operation(ThreadId thread, Operation& operation) const {
  system_.next_operation(inner(thread), operation);
  if (settings_.chop == nullptr) return;
  std::erase_if(operation.accesses,
                [&](const Access& access) { return !settings_.chop->matters(access.object); });
}

Failure SuffixSystem::step(ThreadId thread, std::uint32_t choice) {
  look_at(inner(thread));
  const Failure failure = system_.step(inner(thread), choice);
  const bool overflowed = failure == Failure::none && settings_.overflows && settings_.overflows();
  steps_.push_back({{inner(thread), choice}, failure != Failure::none, overflowed});
  if (overflowed) {
    stopped_[inner(thread)] = true;
    ++overflows_;
  }
  return failure;
}

void SuffixSystem::rewind(std::size_t depth) {
  if (depth >= steps_.size()) return;
  system_.rewind(base_ + depth);
  for (; steps_.size() > depth; steps_.pop_back()) {
    if (steps_.back().overflowed) stopped_[steps_.back().transition.thread] = false;
  }
}

void SuffixSystem::look_at(ThreadId thread) {
  system_.next_operation(thread, operation_);
  if (!racing_accesses(paused_.accesses, operation_.accesses)) return;
  const std::string site = system_.where_next(thread);
  if (!races_.contains(site)) {
    RaceState& race = races_[site];
    race.other = thread;
    // A step that failed did nothing; its thread could as well have been left in front of it.
    for (const Step& step : steps_) {
      if (!step.failed) race.suffix.push_back(step.transition);
    }
  }
  if (site == settings_.wanted_site) throw Reached();
}

}  // namespace heddle::hybrid
