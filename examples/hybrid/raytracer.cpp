// A small ray tracer: threads take rows of an image with five spheres. The few pixels where a
// sphere shines are counted under a lock, but it is the lock of the thread's own renderer, not one
// for all. Two threads meet there only if one stays at a sphere until the other one has come to the
// next.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kSize = 9;  // of a sphere, in pixels
constexpr int kSpheres = 5;
constexpr int kShining = 250;

std::mutex row_lock;
int next_row = 0;
int shining = 0;

struct Renderer {
  std::mutex lock;
};

int take_row() {
  const std::lock_guard guard(row_lock);
  return next_row < kSpheres * kSize ? next_row++ : -1;
}

// How bright the sphere is where the ray through that pixel meets it.
int brightness(int row, int column) {
  const double x = (2.0 * column + 1) / kSize - 1, y = (2.0 * (row % kSize) + 1) / kSize - 1;
  const double rest = 1 - x * x - y * y;
  return rest < 0 ? 0 : static_cast<int>(255 * rest);
}

void render(Renderer* renderer) {
  for (int row = take_row(); row >= 0; row = take_row()) {
    int found = 0;
    for (int column = 0; column < kSize; ++column) found += brightness(row, column) > kShining;
    if (found == 0) continue;
    const std::lock_guard guard(renderer->lock);
    shining += found;
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<Renderer> renderers(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(render, &renderers[i]);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
