#include "explore/wrong.h"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::string_view kSpins = "spins for ever";

bool is_plain(EventKind kind) { return kind == EventKind::read || kind == EventKind::write; }

FindingEvent next_event(const System& system, ThreadId thread, std::string values) {
  return {.thread = system.thread_name(thread),
          .site = system.where_next(thread),
          .operation = system.describe_next(thread),
          .values = std::move(values)};
}

std::string accessed(const System& system, const Access& access) {
  return fmt::format("{} {}", access.kind == EventKind::write ? "writes" : "reads",
                     system.object_name(access.object));
}

std::vector<Access> next_accesses(const System& system, ThreadId thread) {
  if (system.readiness(thread) != Readiness::ready) return {};
  Operation operation;
  system.next_operation(thread, operation);
  return operation.accesses;
}

std::string words_of_blocked(const FindingEvent& event) {
  if (event.values == kSpins)
    return fmt::format("{} {} in `{}`", event.thread, kSpins, event.operation);
  if (!event.values.empty()) return fmt::format("{} is blocked: {}", event.thread, event.values);
  return fmt::format("{} is blocked in `{}`", event.thread, event.operation);
}

}  // namespace

FindingKind kind_of(Failure failure) {
  switch (failure) {
    case Failure::out_of_range: return FindingKind::out_of_range;
    case Failure::misuse: return FindingKind::misuse;
    case Failure::crash: return FindingKind::crash;
    case Failure::exit_status: return FindingKind::exit_status;
    case Failure::memory: return FindingKind::memory;
    case Failure::race: return FindingKind::race;
    default: return FindingKind::assertion;
  }
}

std::optional<RunEnd> deadlock_in(const System& system) {
  RunEnd end{.kind = FindingKind::deadlock, .message = {}, .events = {}};
  for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
    const Readiness readiness = system.readiness(thread);
    if (readiness == Readiness::unborn || readiness == Readiness::finished) continue;
    const bool blocked = readiness == Readiness::blocked;
    if (!blocked && !system.spins_for_ever(thread)) return std::nullopt;
    if (!blocked) end.kind = FindingKind::livelock;
    const FindingEvent event =
        next_event(system, thread, blocked ? system.why_blocked(thread) : std::string(kSpins));
    end.message += fmt::format("{}{}", end.message.empty() ? "" : "; ", words_of_blocked(event));
    end.events.push_back(event);
  }
  if (end.events.empty()) return std::nullopt;
  return end;
}

std::optional<RunEnd> race_in(const System& system, ThreadId a, ThreadId b) {
  if (b < a) std::swap(a, b);
  const auto racing = racing_accesses(next_accesses(system, a), next_accesses(system, b));
  if (!racing) return std::nullopt;
  const FindingEvent first = next_event(system, a, accessed(system, racing->first));
  const FindingEvent second = next_event(system, b, accessed(system, racing->second));
  return RunEnd{
      .kind = FindingKind::race,
      .message = fmt::format("{} {} in `{}` while {} {} in `{}`", first.thread, first.values,
                             first.operation, second.thread, second.values, second.operation),
      .events = {first, second}};
}

std::optional<RacingAccesses> racing_accesses(std::span<const Access> a,
                                              std::span<const Access> b) {
  for (const Access& first : a) {
    for (const Access& second : b) {
      const bool plain = is_plain(first.kind) && is_plain(second.kind);
      const bool writes = first.kind == EventKind::write || second.kind == EventKind::write;
      if (plain && writes && first.object == second.object) return RacingAccesses{first, second};
    }
  }
  return std::nullopt;
}

}  // namespace heddle
