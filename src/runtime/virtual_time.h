// Virtual time: it goes on by a microsecond with every event, so that it depends on nothing
// but the run, and jumps to a deadline when nothing else can happen.
#pragma once

#include <cstdint>

#include <time.h>

namespace heddle::runtime {

inline constexpr std::uint64_t kNanosecondsPerEvent = 1000;
inline constexpr std::uint64_t kSecond = 1'000'000'000;
// What the clocks show at the start: a morning in 2026, and some hours after booting.
inline constexpr std::uint64_t kRealtimeStart = 1'767'258'000 * kSecond;
inline constexpr std::uint64_t kMonotonicStart = 10'000 * kSecond;

// Nanoseconds since the start of the run.
std::uint64_t now();
void jump_to(std::uint64_t time);
void jump_by(std::uint64_t nanoseconds);

// What a clock shows, and the virtual time at which it will show this.
std::uint64_t clock_reading(clockid_t clock);
std::uint64_t time_of_reading(clockid_t clock, const timespec& reading);
std::uint64_t nanoseconds_of(const timespec& duration);
timespec timespec_of(std::uint64_t nanoseconds);

}  // namespace heddle::runtime
