// The trees behind std::map and std::set. They are searched by code in headers, which is
// instrumented, but linked together by two functions of the C++ library, which is not. Told of are
// the writes that these are certain to make: to the new node, and to the link that leads there, or
// led to one that is taken out. What they turn around to keep the tree flat is not.
#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

// std::_Rb_tree_node_base. The header's are the root, the first and the last node.
struct Node {
  int colour;
  Node* parent;
  Node* left;
  Node* right;
};

class Links {
 public:
  Links(Thread& self, std::uint64_t caller) : self_(self), pc_(instrumented_site(self, caller)) {
    event_log.settle();
  }

  void write_node(Node* node) { log_access(self_, EventKind::write, node, sizeof *node, pc_); }
  void write(Node** link) { log_access(self_, EventKind::write, link, sizeof *link, pc_); }

 private:
  Thread& self_;
  std::uint64_t pc_;
};

void tell_insertion(Links links, bool left, Node* node, Node* parent, Node& header) {
  links.write_node(node);
  links.write(left ? &parent->left : &parent->right);
  if (parent == &header) {
    links.write(&header.parent);
    links.write(&header.right);
  } else if (left && parent == header.left) {
    links.write(&header.left);
  } else if (!left && parent == header.right) {
    links.write(&header.right);
  }
}

void tell_removal(Links links, Node* node, Node& header) {
  Node* parent = node->parent;
  if (header.parent == node) return links.write(&header.parent);
  links.write(parent->left == node ? &parent->left : &parent->right);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left,
                                                                                  void* node,
                                                                                  void* parent,
                                                                                  void* header);
extern "C" void* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(void* node,
                                                                              void* header);

INTERPOSE(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, bool left,
          void* node, void* parent, void* header) {
  if (Thread* self = observed()) {
    tell_insertion(Links(*self, CALLER), left, static_cast<Node*>(node), static_cast<Node*>(parent),
                   *static_cast<Node*>(header));
  }
  REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)
  (left, node, parent, header);
}

INTERPOSE(void*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, void* node,
          void* header) {
  if (Thread* self = observed()) {
    tell_removal(Links(*self, CALLER), static_cast<Node*>(node), *static_cast<Node*>(header));
  }
  return REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(node, header);
}
