// Clocks, sleeping and yielding, in virtual time.
//
// Reading a clock is an event, since what it shows depends on all that happened before.
// A program that reads a clock over and over waits for it: time then goes on faster.
#include <sched.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <unistd.h>

#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kLongestTick = 1'000'000;

void advance_for_reader(Thread& self) {
  const bool again = event_log.events() - self.last_clock_event <= 4;
  self.clock_reads = again ? self.clock_reads + 1 : 0;
  self.last_clock_event = event_log.events();
  const std::uint64_t doublings = self.clock_reads < 20 ? self.clock_reads / 2 : 10;
  const std::uint64_t tick = kNanosecondsPerEvent << doublings;
  jump_by(tick < kLongestTick ? tick : kLongestTick);
}

std::uint64_t read_clock(Call& call, clockid_t clock) {
  call.touch(wire::SpecialDescriptor::clock);
  advance_for_reader(call.self);
  return clock_reading(clock);
}

void sleep_until(Call& call, std::uint64_t deadline) {
  cancellation_point(call.self);
  Object& clock = special_descriptor(wire::SpecialDescriptor::clock);
  call.wait(EventKind::io, clock, deadline);
  call.log(EventKind::io, clock);
  cancellation_point(call.self);
}

void sleep_for(Call& call, std::uint64_t nanoseconds) { sleep_until(call, now() + nanoseconds); }

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, clock_gettime, clockid_t clock, timespec* time) {
  AT_GATE_OR(REAL(clock_gettime)(clock, time));
  *time = timespec_of(read_clock(call, clock));
  return 0;
}

INTERPOSE(int, gettimeofday, timeval* time, void* zone) {
  AT_GATE_OR(REAL(gettimeofday)(time, zone));
  const timespec shown = timespec_of(read_clock(call, CLOCK_REALTIME));
  *time = {shown.tv_sec, shown.tv_nsec / 1000};
  return 0;
}

INTERPOSE(time_t, time, time_t* result) {
  AT_GATE_OR(REAL(time)(result));
  const time_t shown = timespec_of(read_clock(call, CLOCK_REALTIME)).tv_sec;
  if (result != nullptr) *result = shown;
  return shown;
}

INTERPOSE(int, timespec_get, timespec* time, int base) {
  AT_GATE_OR(REAL(timespec_get)(time, base));
  *time = timespec_of(read_clock(call, CLOCK_REALTIME));
  return base;
}

INTERPOSE(clock_t, clock) {
  AT_GATE_OR(REAL(clock)());
  return static_cast<clock_t>(read_clock(call, CLOCK_PROCESS_CPUTIME_ID) / 1000);
}

INTERPOSE(int, nanosleep, const timespec* duration, timespec* left) {
  AT_GATE_OR(REAL(nanosleep)(duration, left));
  sleep_for(call, nanoseconds_of(*duration));
  return 0;
}

INTERPOSE(int, clock_nanosleep, clockid_t clock, int flags, const timespec* time, timespec* left) {
  AT_GATE_OR(REAL(clock_nanosleep)(clock, flags, time, left));
  if ((flags & TIMER_ABSTIME) != 0) {
    sleep_until(call, time_of_reading(clock, *time));
  } else {
    sleep_for(call, nanoseconds_of(*time));
  }
  return 0;
}

INTERPOSE(unsigned, sleep, unsigned seconds) {
  AT_GATE_OR(REAL(sleep)(seconds));
  sleep_for(call, seconds * kSecond);
  return 0;
}

INTERPOSE(int, usleep, useconds_t microseconds) {
  AT_GATE_OR(REAL(usleep)(microseconds));
  sleep_for(call, microseconds * std::uint64_t{1000});
  return 0;
}

INTERPOSE(int, sched_yield) {
  AT_GATE_OR(REAL(sched_yield)());
  gate.yield(call.self);
  return 0;
}

INTERPOSE(int, pthread_yield) {
  AT_GATE_OR(REAL(sched_yield)());
  gate.yield(call.self);
  return 0;
}
