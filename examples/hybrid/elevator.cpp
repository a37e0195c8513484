// An elevator simulator: cars take calls from the floors. A car's direction is changed under the
// lock of the cars; a car that finds no call at the lobby stops, and looks under the lock of the
// floors whether all others stand still, too. It can meet the car that has just taken that call.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex floor_lock, car_lock;
constexpr int kFloors = 5;
constexpr int kLobby = 2;
std::vector<int> calls, passed;
std::vector<int> directions;
int idle = 0;

bool take_call(int floor) {
  const std::lock_guard guard(floor_lock);
  if (calls[floor] == 0) return false;
  --calls[floor];
  return true;
}

void turn(int car, int direction) {
  const std::lock_guard guard(car_lock);
  directions[car] = direction;
}

void pass(int floor) {
  const std::lock_guard guard(floor_lock);
  ++passed[floor];
}

void count_idle() {
  const std::lock_guard guard(floor_lock);
  for (const int direction : directions) idle += direction == 0;
}

void run_car(int car) {
  for (int floor = 0; floor < kFloors; ++floor) {
    if (take_call(floor)) {
      turn(car, 1);
      for (int i = 0; i < kFloors; ++i) pass(i);
    } else if (floor == kLobby) {
      turn(car, 0);
      count_idle();
    }
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  calls.assign(kFloors, 1);
  passed.assign(kFloors, 0);
  directions.assign(count, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(run_car, i);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
