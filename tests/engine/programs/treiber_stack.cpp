// finds: nothing
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};
static std::atomic<Node*> top{nullptr};

static void push(Node* node) {
  node->next = top.load();
  while (!top.compare_exchange_strong(node->next, node)) {
  }
}

static Node* pop() {
  Node* node = top.load();
  while (node != nullptr && !top.compare_exchange_strong(node, node->next)) {
  }
  return node;
}

int main() {
  Node a{1, nullptr}, b{2, nullptr};
  push(&a);
  Node* first = nullptr;
  std::thread pusher([&] { push(&b); });
  std::thread popper([&] { first = pop(); });
  pusher.join();
  popper.join();
  assert(first == &a || first == &b);
}
