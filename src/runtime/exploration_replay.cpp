// A schedule of an exploration, followed once in a process of its own: that is how findings are
// confirmed and shown.
#include <csignal>

#include "runtime/exploration_state.h"
#include "runtime/futex.h"
#include "runtime/gate.h"

namespace heddle::runtime::exploration {

using explored::Wrong;

namespace {

[[noreturn]] void die_as_found() {
  event_log.complete();
  int signal = SIGABRT;
  if (outcome.wrong == Wrong::crash && signal_of_crash() != 0) signal = signal_of_crash();
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  REAL(sigaction)(signal, &action, nullptr);
  if (outcome.wrong != Wrong::exit_status) {
    system_call(SYS_kill, system_call(SYS_getpid), signal);
  }
  for (;;) system_call(SYS_exit_group, exit_status);
}

Thread* anybody_ready() {
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    if (can_go_on(*gate.live()[i])) return gate.live()[i];
  }
  return nullptr;
}

}  // namespace

void stop_if_wrong() {
  if (outcome.wrong == Wrong::nothing) return;
  say(outcome.message);
  die_as_found();
}

void follow_schedule() {
  restart();
  stop_if_wrong();
  const wire::Run* schedule = wire::schedule_of(channel);
  for (std::uint64_t i = 0; i < channel->schedule_runs && !over; ++i) {
    Thread* thread = gate.thread_numbered(schedule[i].thread);
    if (thread == nullptr) report_divergence(schedule[i].thread, wire::Divergence::unborn);
    if (!can_go_on(*thread)) report_divergence(thread->id, wire::Divergence::not_ready);
    advance(thread->id, schedule[i].events - 1);
    stop_if_wrong();
  }
  if (!over && anybody_ready() == nullptr) report_deadlock();
  if (!over) say(explored::kScheduleOver);
  event_log.complete();
  for (;;) system_call(SYS_exit_group, exit_status);
}

}  // namespace heddle::runtime::exploration
