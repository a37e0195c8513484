// System calls on descriptors.
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/descriptor_io.h"

namespace heddle::runtime {
namespace {

std::uint64_t deadline_in(int milliseconds) {
  return milliseconds < 0 ? kNever : now() + static_cast<std::uint64_t>(milliseconds) * 1'000'000;
}

// The result of a real call, with its errno kept for the program.
template <typename T>
T with_errno(Call& call, T result) {
  call.saved_errno = errno;
  return result;
}

std::uint32_t add_descriptors(const fd_set* set, int count, short events, pollfd* list,
                              std::uint32_t used) {
  for (int i = 0; set != nullptr && i < count; ++i) {
    if (FD_ISSET(i, set)) list[used++] = {i, events, 0};
  }
  return used;
}

std::uint64_t deadline_of(const timeval* timeout) {
  if (timeout == nullptr) return kNever;
  return now() + static_cast<std::uint64_t>(timeout->tv_sec) * kSecond +
         static_cast<std::uint64_t>(timeout->tv_usec) * 1000;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::EventKind;
using heddle::wire::SpecialDescriptor;

INTERPOSE(ssize_t, read, int descriptor, void* buffer, std::size_t size) {
  AT_GATE_OR(REAL(read)(descriptor, buffer, size));
  await_descriptor(call, descriptor, POLLIN);
  const ssize_t result = with_errno(call, REAL(read)(descriptor, buffer, size));
  log_buffer(call, EventKind::write, buffer, result);
  return result;
}

INTERPOSE(ssize_t, write, int descriptor, const void* buffer, std::size_t size) {
  AT_GATE_OR(REAL(write)(descriptor, buffer, size));
  await_descriptor(call, descriptor, POLLOUT);
  log_buffer(call, EventKind::read, buffer, static_cast<long>(size));
  return with_errno(call, REAL(write)(descriptor, buffer, size));
}

INTERPOSE(ssize_t, readv, int descriptor, const iovec* parts, int count) {
  AT_GATE_OR(REAL(readv)(descriptor, parts, count));
  await_descriptor(call, descriptor, POLLIN);
  return with_errno(call, REAL(readv)(descriptor, parts, count));
}

INTERPOSE(ssize_t, writev, int descriptor, const iovec* parts, int count) {
  AT_GATE_OR(REAL(writev)(descriptor, parts, count));
  await_descriptor(call, descriptor, POLLOUT);
  for (int i = 0; i < count; ++i) {
    log_buffer(call, EventKind::read, parts[i].iov_base, static_cast<long>(parts[i].iov_len));
  }
  return with_errno(call, REAL(writev)(descriptor, parts, count));
}

INTERPOSE(ssize_t, recv, int descriptor, void* buffer, std::size_t size, int flags) {
  AT_GATE_OR(REAL(recv)(descriptor, buffer, size, flags));
  await_descriptor(call, descriptor, POLLIN);
  const ssize_t result = with_errno(call, REAL(recv)(descriptor, buffer, size, flags));
  log_buffer(call, EventKind::write, buffer, result);
  return result;
}

INTERPOSE(ssize_t, recvfrom, int descriptor, void* buffer, std::size_t size, int flags,
          sockaddr* address, socklen_t* length) {
  AT_GATE_OR(REAL(recvfrom)(descriptor, buffer, size, flags, address, length));
  await_descriptor(call, descriptor, POLLIN);
  const ssize_t result =
      with_errno(call, REAL(recvfrom)(descriptor, buffer, size, flags, address, length));
  log_buffer(call, EventKind::write, buffer, result);
  return result;
}

INTERPOSE(ssize_t, recvmsg, int descriptor, msghdr* message, int flags) {
  AT_GATE_OR(REAL(recvmsg)(descriptor, message, flags));
  await_descriptor(call, descriptor, POLLIN);
  return with_errno(call, REAL(recvmsg)(descriptor, message, flags));
}

INTERPOSE(ssize_t, send, int descriptor, const void* buffer, std::size_t size, int flags) {
  AT_GATE_OR(REAL(send)(descriptor, buffer, size, flags));
  await_descriptor(call, descriptor, POLLOUT);
  log_buffer(call, EventKind::read, buffer, static_cast<long>(size));
  return with_errno(call, REAL(send)(descriptor, buffer, size, flags));
}

INTERPOSE(ssize_t, sendto, int descriptor, const void* buffer, std::size_t size, int flags,
          const sockaddr* address, socklen_t length) {
  AT_GATE_OR(REAL(sendto)(descriptor, buffer, size, flags, address, length));
  await_descriptor(call, descriptor, POLLOUT);
  return with_errno(call, REAL(sendto)(descriptor, buffer, size, flags, address, length));
}

INTERPOSE(ssize_t, sendmsg, int descriptor, const msghdr* message, int flags) {
  AT_GATE_OR(REAL(sendmsg)(descriptor, message, flags));
  await_descriptor(call, descriptor, POLLOUT);
  return with_errno(call, REAL(sendmsg)(descriptor, message, flags));
}

INTERPOSE(int, accept, int descriptor, sockaddr* address, socklen_t* length) {
  AT_GATE_OR(REAL(accept)(descriptor, address, length));
  await_descriptor(call, descriptor, POLLIN);
  return with_errno(call, REAL(accept)(descriptor, address, length));
}

INTERPOSE(int, accept4, int descriptor, sockaddr* address, socklen_t* length, int flags) {
  AT_GATE_OR(REAL(accept4)(descriptor, address, length, flags));
  await_descriptor(call, descriptor, POLLIN);
  return with_errno(call, REAL(accept4)(descriptor, address, length, flags));
}

INTERPOSE(int, connect, int descriptor, const sockaddr* address, socklen_t length) {
  AT_GATE_OR(REAL(connect)(descriptor, address, length));
  int result = 0;
  {
    Outside outside(call);
    result = REAL(connect)(descriptor, address, length);
  }
  return result;
}

INTERPOSE(int, close, int descriptor) {
  AT_GATE_OR(REAL(close)(descriptor));
  Object& object = descriptor_at(descriptor);
  call.pass(EventKind::io, &object);
  call.log(EventKind::io, object);
  forget_object(heddle::ObjectType::descriptor, static_cast<std::uint64_t>(descriptor) + 1);
  return with_errno(call, REAL(close)(descriptor));
}

INTERPOSE(int, poll, pollfd* descriptors, nfds_t count, int timeout) {
  AT_GATE_OR(REAL(poll)(descriptors, count, timeout));
  await_descriptors(call, descriptors, static_cast<std::uint32_t>(count), deadline_in(timeout),
                    special_descriptor(SpecialDescriptor::outside));
  return with_errno(call, REAL(poll)(descriptors, count, 0));
}

INTERPOSE(int, select, int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
          timeval* timeout) {
  AT_GATE_OR(REAL(select)(count, readable, writable, exceptional, timeout));
  pollfd list[3 * FD_SETSIZE];
  std::uint32_t used = add_descriptors(readable, count, POLLIN, list, 0);
  used = add_descriptors(writable, count, POLLOUT, list, used);
  used = add_descriptors(exceptional, count, POLLPRI, list, used);
  await_descriptors(call, list, used, deadline_of(timeout),
                    special_descriptor(SpecialDescriptor::outside));
  timeval at_once{0, 0};
  return with_errno(call, REAL(select)(count, readable, writable, exceptional, &at_once));
}

INTERPOSE(int, epoll_wait, int descriptor, epoll_event* events, int count, int timeout) {
  AT_GATE_OR(REAL(epoll_wait)(descriptor, events, count, timeout));
  pollfd waits{descriptor, POLLIN, 0};
  await_descriptors(call, &waits, 1, deadline_in(timeout), descriptor_at(descriptor));
  return with_errno(call, REAL(epoll_wait)(descriptor, events, count, 0));
}
