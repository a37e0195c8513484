#include "record/channel.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr std::uint64_t kCapacity = 1 << 16;  // records; 3 MiB
constexpr std::uint64_t kPortion = 1 << 10;   // taken at a time; they are looked at more than once

void futex(std::atomic<std::uint32_t>* word, int operation, std::uint32_t value,
           const timespec* timeout = nullptr) {
  ::syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

}  // namespace

Result<Channel> Channel::create(const ChannelContent& content) {
  // Not closed when the program starts: this is how the runtime finds it.
  const int descriptor = ::memfd_create("heddle", 0);
  if (descriptor < 0) return make_error("cannot make a memory file: {}", std::strerror(errno));
  const std::size_t size =
      wire::channel_bytes(kCapacity, content.schedule.size(), content.shared.size(),
                          content.shared_sites.size(), content.result_bytes);
  void* memory = MAP_FAILED;
  if (::ftruncate(descriptor, static_cast<off_t>(size)) == 0) {
    memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  if (memory == MAP_FAILED) {
    ::close(descriptor);
    return make_error("cannot map {} bytes of shared memory: {}", size, std::strerror(errno));
  }
  auto* header = new (memory) wire::Header();
  header->magic = wire::kMagic;
  header->capacity = kCapacity;
  header->schedule_runs = content.schedule.size();
  header->shared_ranges = content.shared.size();
  header->shared_sites = content.shared_sites.size();
  header->result_bytes = content.result_bytes;
  header->settings = content.settings;
  header->search = content.search;
  std::ranges::copy(content.schedule, wire::schedule_of(header));
  std::ranges::copy(content.shared, wire::shared_ranges_of(header));
  std::ranges::copy(content.shared_sites, wire::shared_sites_of(header));
  return Channel(descriptor, header, size);
}

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      header_(std::exchange(other.header_, nullptr)),
      size_(other.size_) {}

Channel::~Channel() {
  if (header_ != nullptr) ::munmap(header_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<bool> Channel::take_until(std::uint64_t end, const Take& take) {
  const std::uint64_t start = header_->taken.load();
  for (std::uint64_t from = start; from < end;) {
    const std::uint64_t at = from & (kCapacity - 1);
    const std::uint64_t count = std::min({end - from, kCapacity - at, kPortion});
    TRY_VOID(take({wire::ring_of(header_) + at, count}));
    from += count;
    header_->taken.store(from, std::memory_order_release);
    header_->space.fetch_add(1);
    // A program that waits for space goes on for a while once it is woken: that is not cheap.
    const bool worth_it = end - from <= kCapacity / 2;  // in any case when all is taken
    if (worth_it && header_->runtime_waits.load() != 0) {
      futex(&header_->space, FUTEX_WAKE, INT_MAX);
    }
  }
  return end > start;
}

Result<bool> Channel::drain(const Take& take) {
  return take_until(header_->settled.load(std::memory_order_acquire), take);
}

Result<bool> Channel::drain_rest(const Take& take) {
  return take_until(header_->written.load(std::memory_order_acquire), take);
}

void Channel::wait(std::uint64_t microseconds) {
  const std::uint32_t seen = header_->signal.load();
  header_->host_waits.store(1);
  const timespec timeout{static_cast<time_t>(microseconds / 1'000'000),
                         static_cast<long>(microseconds % 1'000'000 * 1000)};
  if (!complete()) futex(&header_->signal, FUTEX_WAIT, seen, &timeout);
  header_->host_waits.store(0);
}

}  // namespace heddle
