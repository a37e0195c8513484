// Every way to allocate, also across threads.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>

struct alignas(64) Aligned {
  char bytes[64];
};
void body() {
  char* block = static_cast<char*>(std::malloc(10));
  std::strcpy(block, "heap");
  block = static_cast<char*>(std::realloc(block, 5000));
  assert(std::strcmp(block, "heap") == 0);
  std::free(block);
  int* zeroed = static_cast<int*>(std::calloc(10, sizeof(int)));
  assert(zeroed[9] == 0 && malloc_usable_size(zeroed) >= 40);
  std::free(zeroed);
  void* page = nullptr;
  assert(posix_memalign(&page, 4096, 100) == 0 &&
         reinterpret_cast<unsigned long>(page) % 4096 == 0);
  std::free(page);
  delete new Aligned;
  delete[] new int[7];
  delete new (std::nothrow) int;
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back(std::string(static_cast<std::size_t>(i) * 5, 'x'));
  void* large = std::malloc(std::size_t{5} << 20);
  std::memset(large, 1, 100);
  std::free(large);
}
int main() {
  std::thread a(body), b(body);
  a.join();
  b.join();
  std::unique_ptr<int> crossing;
  std::thread([&] { crossing = std::make_unique<int>(3); }).join();
  assert(*crossing == 3);
  try {
    volatile std::size_t too_much = ~std::size_t{0} >> 2;
    void* volatile none = ::operator new(too_much);
    ::operator delete(none);
    assert(false);
  } catch (const std::bad_alloc&) {
  }
}
