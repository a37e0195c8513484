#include "runtime/descriptor_io.h"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/waypoint.h"

namespace heddle::runtime {
namespace {

// What is on the other side of a descriptor cannot be put back, except what is printed, which
// nobody reads.
void note_use_of(int descriptor) {
  if (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO) forbid_waypoints();
}

bool never_blocks(int descriptor) {
  const long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
  return flags < 0 || (flags & O_NONBLOCK) != 0;
}

}  // namespace

Object& descriptor_at(int descriptor) {
  return object_at(ObjectType::descriptor, static_cast<std::uint64_t>(descriptor) + 1);
}

bool await_descriptors(Call& call, pollfd* descriptors, std::uint32_t count, std::uint64_t deadline,
                       Object& object) {
  cancellation_point(call.self);
  for (std::uint32_t i = 0; i < count; ++i) note_use_of(descriptors[i].fd);
  Operation operation;
  operation.kind = EventKind::io;
  operation.waits = true;
  operation.object = &object;
  operation.deadline = deadline;
  operation.descriptors = descriptors;
  operation.descriptor_count = count;
  operation.pc = call.pc;
  const bool ready = gate.pass(call.self, operation);
  call.log(EventKind::io, object);
  return ready;
}

void await_descriptor(Call& call, int descriptor, short events) {
  pollfd waits{descriptor, events, 0};
  Object& object = descriptor_at(descriptor);
  if (descriptor < 0 || never_blocks(descriptor)) {
    note_use_of(descriptor);
    call.pass(EventKind::io, &object);
    call.log(EventKind::io, object);
    return;
  }
  await_descriptors(call, &waits, 1, kNever, object);
}

void log_buffer(Call& call, EventKind kind, const void* buffer, long size) {
  if (size <= 0) return;
  event_log.access(call.self, kind, address_of(buffer), static_cast<std::uint32_t>(size), call.pc);
}

Outside::Outside(Call& call) : call_(call) {
  forbid_waypoints();
  gate.leave(call.self);
  use_all_processors();
}

Outside::~Outside() {
  const int result_errno = errno;
  return_to_one_processor();
  Object& object = special_descriptor(wire::SpecialDescriptor::outside);
  Operation operation;
  operation.kind = EventKind::io;
  operation.object = &object;
  operation.pc = call_.pc;
  gate.come_back(call_.self, operation);
  call_.log(EventKind::io, object);
  call_.saved_errno = result_errno;
}

}  // namespace heddle::runtime
