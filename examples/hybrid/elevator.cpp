// An elevator simulator: cars take calls from the floors. A car's direction is changed under the
// lock of the cars; a car that finds its floor without a call looks at the others' directions under
// the lock of the floors.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex floor_lock, car_lock;
std::vector<int> calls;
std::vector<int> directions;
int idle = 0;

bool take_call(int floor) {
  const std::lock_guard guard(floor_lock);
  if (calls[floor] > 0) {
    --calls[floor];
    return true;
  }
  for (const int direction : directions) idle += direction == 0;
  return false;
}

void turn(int car, int direction) {
  const std::lock_guard guard(car_lock);
  directions[car] = direction;
}

void run_car(int car) {
  const int floor = car % static_cast<int>(calls.size());
  if (take_call(floor)) turn(car, 1);
  if (!take_call(floor)) return;
  turn(car, -1);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  calls.assign(2, count);
  directions.assign(count, 0);
  calls[1] = 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(run_car, i);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
