// A small ray tracer: threads take rows of an image with one sphere. Each adds its part of the
// checksum under a lock, but it is the lock of its own renderer, not one for all.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kSize = 4;

std::mutex row_lock;
int next_row = 0;
long checksum = 0;

struct Renderer {
  std::mutex lock;
};

int take_row() {
  const std::lock_guard guard(row_lock);
  return next_row < kSize ? next_row++ : -1;
}

// How bright the sphere of radius 1 is where the ray through that pixel meets it.
int brightness(int row, int column) {
  const double x = (2.0 * column + 1) / kSize - 1, y = (2.0 * row + 1) / kSize - 1;
  const double rest = 1 - x * x - y * y;
  return rest < 0 ? 0 : static_cast<int>(255 * rest);
}

void render(Renderer* renderer) {
  long sum = 0;
  for (int row = take_row(); row >= 0; row = take_row()) {
    for (int column = 0; column < kSize; ++column) sum += brightness(row, column);
  }
  if (sum == 0) return;
  const std::lock_guard guard(renderer->lock);
  checksum += sum;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<Renderer> renderers(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(render, &renderers[i]);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
