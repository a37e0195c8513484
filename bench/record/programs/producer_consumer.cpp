// Producer and consumer of a bounded queue of messages; with one thread, it fills the queue
// and empties it in turn.
//
//   producer_consumer THREADS
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace {

constexpr int kMessages = 60'032;
constexpr std::size_t kCapacity = 64;
using Message = std::vector<std::uint32_t>;

std::mutex mutex;
std::condition_variable changed;
std::deque<Message> queue;
std::uint64_t checksum;

Message make(int number) {
  Message message(64);
  std::iota(message.begin(), message.end(), static_cast<std::uint32_t>(number));
  return message;
}

void put(int number) {
  Message message = make(number);
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return queue.size() < kCapacity; });
  queue.push_back(std::move(message));
  changed.notify_one();
}

void take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return !queue.empty(); });
  const Message message = std::move(queue.front());
  queue.pop_front();
  changed.notify_one();
  lock.unlock();
  for (const std::uint32_t word : message) checksum += word;
}

void alone() {
  for (int i = 0; i < kMessages; i += static_cast<int>(kCapacity)) {
    for (std::size_t k = 0; k < kCapacity; ++k) put(i);
    for (std::size_t k = 0; k < kCapacity; ++k) take();
  }
}

}  // namespace

int main(int, char** arguments) {
  if (std::atoi(arguments[1]) == 1) {
    std::thread(alone).join();
    return 0;
  }
  std::thread producer([] {
    for (int i = 0; i < kMessages; ++i) put(i);
  });
  std::thread consumer([] {
    for (int i = 0; i < kMessages; ++i) take();
  });
  producer.join();
  consumer.join();
}
