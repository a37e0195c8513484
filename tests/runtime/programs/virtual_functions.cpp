// Objects with virtual functions, made in one thread and destroyed in another.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
  int side;
};
std::mutex mutex;
std::vector<std::unique_ptr<Shape>> shapes;
int main() {
  std::thread maker([] {
    for (int i = 1; i <= 5; ++i) {
      std::lock_guard<std::mutex> guard(mutex);
      shapes.push_back(std::make_unique<Square>(i));
    }
  });
  int area = 0;
  while (area < 55) {
    std::lock_guard<std::mutex> guard(mutex);
    if (shapes.empty()) continue;
    area += shapes.back()->area();
    shapes.pop_back();
  }
  maker.join();
  assert(area == 55);
}
