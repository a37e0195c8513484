#include "runtime/object.h"

#include "runtime/event_log.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

Map<Object*> objects;   // by address and type
Map<Object*> on_pages;  // the first object of each page
std::uint32_t counts[kObjectTypeCount];

std::uint64_t key_of(ObjectType type, std::uint64_t address) {
  return address | static_cast<std::uint64_t>(type) << 58;
}

std::uint64_t page_of(std::uint64_t address) { return (address >> 12) + 1; }

void link_to_page(Object& object) {
  Object** first = on_pages.find(page_of(object.address));
  object.next_on_page = first != nullptr ? *first : nullptr;
  on_pages.insert(page_of(object.address), &object);
}

void unlink_from_page(Object& object) {
  Object** link = on_pages.find(page_of(object.address));
  while (*link != &object) link = &(*link)->next_on_page;
  *link = object.next_on_page;
}

void forget(Object& object) {
  unlink_from_page(object);
  objects.remove(key_of(object.type, object.address));
}

void forget_on_page(std::uint64_t page, std::uint64_t low, std::uint64_t high) {
  Object** first = on_pages.find(page);
  if (first == nullptr) return;
  for (Object* object = *first; object != nullptr;) {
    Object* next = object->next_on_page;
    if (object->address >= low && object->address < high) forget(*object);
    object = next;
  }
}

}  // namespace

void Waiters::notify() {
  if (const std::size_t gap = gap_before(waiters_.size())) waiters_[gap - 1].marked = true;
}

void Waiters::notify_all() {
  for (Waiter& waiter : waiters_) waiter.marked = true;
}

std::size_t Waiters::unmarked() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < waiters_.size(); ++i) count += waiters_[i].marked ? 0 : 1;
  return count;
}

bool Waiters::can_wake(const Thread* thread) const {
  return mark_from(position(thread)) < waiters_.size();
}

bool Waiters::can_time_out(const Thread* thread) const {
  const std::size_t i = position(thread);
  return !waiters_[i].marked || gap_before(i) != 0;
}

void Waiters::wake(const Thread* thread) {
  const std::size_t i = position(thread);
  waiters_[mark_from(i)].marked = false;
  waiters_.remove_at(i);
}

void Waiters::time_out(const Thread* thread) {
  const std::size_t i = position(thread);
  if (waiters_[i].marked) waiters_[gap_before(i) - 1].marked = true;
  waiters_.remove_at(i);
}

std::size_t Waiters::position(const Thread* thread) const {
  std::size_t i = 0;
  while (i < waiters_.size() && waiters_[i].thread != thread) ++i;
  RUNTIME_CHECK(i < waiters_.size());
  return i;
}

std::size_t Waiters::mark_from(std::size_t i) const {
  while (i < waiters_.size() && !waiters_[i].marked) ++i;
  return i;
}

std::size_t Waiters::gap_before(std::size_t end) const {
  while (end > 0 && waiters_[end - 1].marked) --end;
  return end;
}

Object* find_object(ObjectType type, std::uint64_t address) {
  Object** found = objects.find(key_of(type, address));
  return found != nullptr ? *found : nullptr;
}

Object& define_object(ObjectType type, std::uint64_t address, LockKind kind, std::uint64_t extra) {
  if (Object* old = find_object(type, address)) forget(*old);
  Object& object = *keep<Object>();
  object.type = type;
  object.lock_kind = kind;
  object.address = address;
  object.id = counts[static_cast<std::size_t>(type)]++;
  objects.insert(key_of(type, address), &object);
  link_to_page(object);
  event_log.define_object(object,
                          type == ObjectType::lock ? static_cast<std::uint64_t>(kind) : extra);
  return object;
}

Object& object_at(ObjectType type, std::uint64_t address) {
  Object* found = find_object(type, address);
  return found != nullptr ? *found : define_object(type, address);
}

void forget_object(ObjectType type, std::uint64_t address) {
  if (Object* object = find_object(type, address)) forget(*object);
}

void forget_objects_in(std::uint64_t address, std::uint64_t size) {
  if (size == 0 || objects.size() == 0) return;
  const std::uint64_t last = page_of(address + size - 1);
  for (std::uint64_t page = page_of(address); page <= last; ++page) {
    forget_on_page(page, address, address + size);
  }
}

Object& special_descriptor(wire::SpecialDescriptor which) {
  // Such addresses belong to nobody: no descriptor number is that large.
  const std::uint64_t address = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(which);
  if (Object* known = find_object(ObjectType::descriptor, address)) return *known;
  return define_object(ObjectType::descriptor, address, LockKind::mutex,
                       static_cast<std::uint64_t>(which));
}

}  // namespace heddle::runtime
