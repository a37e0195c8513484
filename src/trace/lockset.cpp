#include "trace/lockset.h"

#include <algorithm>

namespace heddle {
namespace {

bool protects(const LocksetAccess& access, std::uint32_t lock) {
  return std::any_of(access.held.begin(), access.held.end(), [&](const HeldLock& held) {
    return held.lock == lock && !(held.reader && access.writes);
  });
}

std::vector<std::uint32_t> protecting(const LocksetAccess& access) {
  std::vector<std::uint32_t> locks;
  for (const HeldLock& held : access.held) {
    if (protects(access, held.lock)) locks.push_back(held.lock);
  }
  return locks;
}

}  // namespace

bool Lockset::access(std::uint32_t number, const LocksetAccess& access) {
  if (number >= locations_.size()) locations_.resize(number + 1);
  Location& location = locations_[number];
  if (comes_after_others(location, access)) {
    location = {.state = State::exclusive, .owner = access.thread, .locks = {}, .last = {}};
  } else {
    refine(location, access);
  }
  remember(location, access);
  return location.state == State::shared_modified && location.locks.empty();
}

bool Lockset::comes_after_others(const Location& location, const LocksetAccess& access) {
  if (location.state == State::virgin) return true;
  if (access.clock.empty()) return false;
  return std::all_of(location.last.begin(), location.last.end(), [&](const LastAccess& last) {
    return last.thread == access.thread || access.clock[last.thread.value()] >= last.time;
  });
}

void Lockset::remember(Location& location, const LocksetAccess& access) {
  if (access.clock.empty()) return;
  std::erase_if(location.last,
                [&](const LastAccess& last) { return last.thread == access.thread; });
  location.last.push_back({access.thread, access.time});
}

void Lockset::refine(Location& location, const LocksetAccess& access) {
  if (location.state == State::exclusive) {
    if (location.owner == access.thread) return;
    location.state = State::shared;
    location.locks = protecting(access);
  } else {
    std::erase_if(location.locks, [&](std::uint32_t lock) { return !protects(access, lock); });
  }
  if (access.writes) location.state = State::shared_modified;
}

}  // namespace heddle
