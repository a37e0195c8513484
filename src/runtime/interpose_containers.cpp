// The part of the C++ library's containers that is not in its headers. Nodes of trees (map, set)
// and of lists are linked by functions of libstdc++, which is not instrumented: without a word
// about that, a run in another order could meet another tree than the events promise.
//
// What is logged is what others can notice. Whoever looks into a tree begins at its header, so a
// change of the tree is logged as one of the header and of the node that comes or goes, and not of
// each node that is turned around inside. Of lists and of the size at which a hash table grows
// it is what is really touched. Each function is one operation.
#include <cstddef>

#include "runtime/exploration.h"
#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

struct TreeNode {
  int colour;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

struct RehashPolicy {
  float max_load_factor;
  std::size_t next_resize;
};

struct NeedsRehash {
  bool needed;
  std::size_t buckets;
};

// The accesses of one call. The first one stands at the gate.
class Accesses {
 public:
  explicit Accesses(std::uint64_t caller) : caller_(caller) {
    if (in_instrumented_module(caller)) self_ = observed();
  }

  template <typename T>
  void read(const T* object) {
    log(EventKind::read, object, object + 1);
  }
  template <typename T>
  void write(const T* object) {
    log(EventKind::write, object, object + 1);
  }
  template <typename T>
  void change(const T* object) {
    read(object);
    write(object);
  }

 private:
  void log(EventKind kind, const void* address, const void* end) {
    if (self_ == nullptr) return;
    const auto size = static_cast<std::uint32_t>(address_of(end) - address_of(address));
    if (!is_through_) {
      if (!exploring) gate.pass_access(*self_, kind, address_of(address), size, caller_);
      event_log.settle();
      is_through_ = true;
    }
    log_access(*self_, kind, address, size, instrumented_site(*self_, caller_));
  }

  std::uint64_t caller_;
  Thread* self_ = nullptr;  // null: nobody watches
  bool is_through_ = false;
};

// A node is taken out of, or put in front of, its neighbours.
void change_neighbours(Accesses& accesses, const ListNode* node) {
  accesses.change(&node->next->previous);
  accesses.change(&node->previous->next);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {
TreeNode* _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode*);
const TreeNode* _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(const TreeNode*);
TreeNode* _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode*);
const TreeNode* _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(const TreeNode*);
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool, TreeNode*, TreeNode*,
                                                                       TreeNode*);
TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(TreeNode*, TreeNode*);
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode*, ListNode*);
void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode*);
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode*, ListNode*, ListNode*);
void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode*);
void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode*, ListNode*);
std::size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(RehashPolicy*, std::size_t);
NeedsRehash _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(RehashPolicy*, std::size_t,
                                                                      std::size_t, std::size_t);
}

// std::_Rb_tree_increment and _Rb_tree_decrement
INTERPOSE(TreeNode*, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, TreeNode* node) {
  Accesses(CALLER).read(node);
  return REAL(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)(node);
}
INTERPOSE(const TreeNode*, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, const TreeNode* node) {
  Accesses(CALLER).read(node);
  return REAL(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)(node);
}
INTERPOSE(TreeNode*, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, TreeNode* node) {
  Accesses(CALLER).read(node);
  return REAL(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)(node);
}
INTERPOSE(const TreeNode*, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, const TreeNode* node) {
  Accesses(CALLER).read(node);
  return REAL(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)(node);
}

// std::_Rb_tree_insert_and_rebalance
INTERPOSE(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, bool left,
          TreeNode* node, TreeNode* parent, TreeNode* header) {
  Accesses accesses(CALLER);
  accesses.change(header);
  accesses.write(node);
  REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)
  (left, node, parent, header);
}

// std::_Rb_tree_rebalance_for_erase
INTERPOSE(TreeNode*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, TreeNode* node,
          TreeNode* header) {
  Accesses accesses(CALLER);
  accesses.change(header);
  accesses.change(node);
  return REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(node, header);
}

// std::__detail::_List_node_base::_M_hook
INTERPOSE(void, _ZNSt8__detail15_List_node_base7_M_hookEPS0_, ListNode* node, ListNode* before) {
  Accesses accesses(CALLER);
  accesses.change(&before->previous);
  accesses.change(&before->previous->next);
  accesses.write(node);
  REAL(_ZNSt8__detail15_List_node_base7_M_hookEPS0_)(node, before);
}

// ... _M_unhook
INTERPOSE(void, _ZNSt8__detail15_List_node_base9_M_unhookEv, ListNode* node) {
  Accesses accesses(CALLER);
  accesses.read(node);
  change_neighbours(accesses, node);
  REAL(_ZNSt8__detail15_List_node_base9_M_unhookEv)(node);
}

// ... _M_transfer
INTERPOSE(void, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, ListNode* node,
          ListNode* first, ListNode* last) {
  if (node != last) {
    Accesses accesses(CALLER);
    for (const ListNode* end : {node, first, last}) {
      accesses.change(&end->previous);
      accesses.change(&end->previous->next);
    }
  }
  REAL(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_)(node, first, last);
}

// ... _M_reverse
INTERPOSE(void, _ZNSt8__detail15_List_node_base10_M_reverseEv, ListNode* head) {
  Accesses accesses(CALLER);
  const ListNode* node = head;
  do {
    accesses.change(node);
    node = node->next;
  } while (node != head);
  REAL(_ZNSt8__detail15_List_node_base10_M_reverseEv)(head);
}

// ... swap
INTERPOSE(void, _ZNSt8__detail15_List_node_base4swapERS0_S1_, ListNode* one, ListNode* other) {
  Accesses accesses(CALLER);
  for (const ListNode* head : {one, other}) {
    accesses.change(head);
    change_neighbours(accesses, head);
  }
  REAL(_ZNSt8__detail15_List_node_base4swapERS0_S1_)(one, other);
}

// std::__detail::_Prime_rehash_policy::_M_next_bkt
INTERPOSE(std::size_t, _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm, RehashPolicy* policy,
          std::size_t buckets) {
  Accesses(CALLER).write(&policy->next_resize);
  return REAL(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm)(policy, buckets);
}

// ... _M_need_rehash
INTERPOSE(NeedsRehash, _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm,
          RehashPolicy* policy, std::size_t buckets, std::size_t elements, std::size_t more) {
  Accesses(CALLER).change(&policy->next_resize);
  return REAL(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm)(policy, buckets, elements,
                                                                         more);
}
