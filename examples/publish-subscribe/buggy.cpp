// A publisher calls its subscribers outside the lock, so that they may subscribe others from
// within. To do so it keeps a reference to the list, which changes under its feet.
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using Subscriber = std::function<void(int)>;

class Topic {
 public:
  void subscribe(Subscriber subscriber) {
    std::lock_guard guard(lock_);
    subscribers_.push_back(std::move(subscriber));
  }

  void publish(int message) {
    for (const Subscriber& subscriber : current()) subscriber(message);
  }

 private:
  const std::vector<Subscriber>& current() {
    std::lock_guard guard(lock_);
    return subscribers_;
  }

  std::mutex lock_;
  std::vector<Subscriber> subscribers_;
};

}  // namespace

int main() {
  Topic topic;
  int received = 0;
  topic.subscribe([&](int message) { received = message; });

  std::thread publisher([&] { topic.publish(7); });
  std::thread late([&] { topic.subscribe([](int) {}); });
  publisher.join();
  late.join();
  std::printf("received %d\n", received);
}
