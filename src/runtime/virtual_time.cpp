#include "runtime/virtual_time.h"

#include "runtime/event_log.h"

namespace heddle::runtime {
namespace {

std::uint64_t jumped;

std::uint64_t start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return kRealtimeStart;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: return kMonotonicStart;
    default: return 0;  // processor time
  }
}

}  // namespace

std::uint64_t now() { return event_log.events() * kNanosecondsPerEvent + jumped; }

void jump_to(std::uint64_t time) {
  if (time > now()) jump_by(time - now());
}

void jump_by(std::uint64_t nanoseconds) { jumped += nanoseconds; }

std::uint64_t clock_reading(clockid_t clock) { return start_of(clock) + now(); }

std::uint64_t time_of_reading(clockid_t clock, const timespec& reading) {
  if (reading.tv_sec < 0) return 0;
  if (static_cast<std::uint64_t>(reading.tv_sec) > (~std::uint64_t{0} >> 1) / kSecond) {
    return (~std::uint64_t{0} >> 1);
  }
  const std::uint64_t shown = nanoseconds_of(reading);
  return shown > start_of(clock) ? shown - start_of(clock) : 0;
}

std::uint64_t nanoseconds_of(const timespec& duration) {
  return static_cast<std::uint64_t>(duration.tv_sec) * kSecond +
         static_cast<std::uint64_t>(duration.tv_nsec);
}

timespec timespec_of(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

}  // namespace heddle::runtime
