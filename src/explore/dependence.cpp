#include "explore/dependence.h"

#include <array>
#include <string_view>

namespace heddle {
namespace {

// The table, one matrix per type of object: a row for the earlier access, a column for
// the later one. f free, r raced, e enabled, t tentative; kinds in the order listed.
struct Matrix {
  ObjectType type;
  std::array<EventKind, 6> kinds;
  std::size_t size;
  std::array<std::string_view, 6> rows;
};

using K = EventKind;

constexpr Matrix kMemory = {
    ObjectType::location,
    {K::read, K::write, K::atomic_read, K::atomic_write, K::atomic_rmw},
    5,
    {"frfrr",   // read
     "rrrrr",   // write
     "frfrr",   // atomic_read
     "rrrrr",   // atomic_write
     "rrrrr"},  // atomic_rmw
};

// A release by another thread than the acquirer's cannot stand next to that acquire;
// such cells only order.
constexpr Matrix kLocks = {
    ObjectType::lock,
    {K::acquire, K::release, K::reader_acquire, K::reader_release, K::failed_acquire,
     K::failed_reader_acquire},
    6,
    {"rererr",   // acquire
     "eeeerr",   // release
     "reffrf",   // reader_acquire
     "eeffrf",   // reader_release
     "ertrff",   // failed_acquire
     "erffff"},  // failed_reader_acquire
};

constexpr Matrix kConditions = {
    ObjectType::condition,
    {K::wait, K::wake, K::timeout, K::notify, K::notify_all},
    5,
    {"fffrr",   // wait
     "ftrrr",   // wake
     "frfrr",   // timeout
     "rtrff",   // notify
     "rtrff"},  // notify_all
};

constexpr Matrix kSemaphores = {
    ObjectType::semaphore,
    {K::semaphore_post, K::semaphore_wait, K::failed_semaphore_wait},
    3,
    {"ftr",   // semaphore_post
     "rrr",   // semaphore_wait
     "ref"},  // failed_semaphore_wait
};

constexpr Matrix kThreads = {
    ObjectType::thread,
    {K::fork, K::join, K::begin, K::end},
    4,
    {"eeee",   // fork
     "efee",   // join
     "eeee",   // begin
     "eeee"},  // end
};

constexpr Order order_named(char letter) {
  switch (letter) {
    case 'f': return Order::free;
    case 'e': return Order::enabled;
    case 't': return Order::tentative;
    default: return Order::raced;
  }
}

// The matrices spread out over all kinds. Kinds that no matrix names are taken as raced
// among themselves, which is always safe.
constexpr OrderTable make_table() {
  OrderTable table{};
  for (auto& row : table) row.fill(Order::raced);
  for (const Matrix& matrix : {kMemory, kLocks, kConditions, kSemaphores, kThreads}) {
    for (std::size_t i = 0; i < matrix.size; ++i) {
      for (std::size_t j = 0; j < matrix.size; ++j) {
        table[static_cast<std::size_t>(matrix.kinds[i])]
             [static_cast<std::size_t>(matrix.kinds[j])] = order_named(matrix.rows[i][j]);
      }
    }
  }
  return table;
}

constexpr bool is_symmetric(const OrderTable& table) {
  for (std::size_t i = 0; i < kEventKindCount; ++i) {
    for (std::size_t j = 0; j < kEventKindCount; ++j) {
      if ((table[i][j] == Order::free) != (table[j][i] == Order::free)) return false;
    }
  }
  return true;
}
static_assert(is_symmetric(make_table()), "dependence does not ask who comes first");

}  // namespace

constinit const OrderTable kOrderTable = make_table();

bool depends_on_all(EventKind kind) {
  switch (kind) {
    case EventKind::write:
    case EventKind::atomic_write:
    case EventKind::atomic_rmw:
    case EventKind::acquire:
    case EventKind::semaphore_wait: return true;
    default: return false;
  }
}

}  // namespace heddle
