// finds: assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};
static std::atomic<Node*> top{nullptr};

static void push(Node* node) {
  Node* old = top.load();
  do {
    node->next = old;
  } while (!top.compare_exchange_strong(old, node));
}

static Node* pop() {
  Node* node = top.load();
  while (node != nullptr && !top.compare_exchange_strong(node, node->next)) {
  }
  return node;
}

// The one takes a and b away and brings a back, while the other is about to take a and to
// leave b on top.
int main() {
  Node a, b;
  push(&b);
  push(&a);
  std::thread slow([] { pop(); });
  std::thread fast([] {
    Node* first = pop();
    Node* second = pop();
    if (first != nullptr && second != nullptr) {
      push(first);
      second->next = second;  // it is somebody's, and not on the stack
    }
  });
  slow.join();
  fast.join();
  for (Node* node = top; node != nullptr; node = node->next) assert(node->next != node);
}
