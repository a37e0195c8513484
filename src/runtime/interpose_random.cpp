// Randomness, seeded: the same run gets the same numbers. rand() and its family are
// deterministic by themselves; they share state, so a call is an event.
#include <cstdlib>

#include <sys/random.h>

#include "base/random.h"
#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

constinit Random numbers(0);
bool seeded;

std::uint64_t next_number() {
  if (!seeded) numbers = Random(event_log.header()->settings.seed ^ 0x5eed);
  seeded = true;
  return numbers.next();
}

void fill_with_numbers(Call& call, void* buffer, std::size_t size) {
  call.touch(wire::SpecialDescriptor::random);
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(next_number());
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::wire::SpecialDescriptor;

INTERPOSE(ssize_t, getrandom, void* buffer, std::size_t size, unsigned flags) {
  AT_GATE_OR(REAL(getrandom)(buffer, size, flags));
  fill_with_numbers(call, buffer, size);
  return static_cast<ssize_t>(size);
}

INTERPOSE(int, getentropy, void* buffer, std::size_t size) {
  AT_GATE_OR(REAL(getentropy)(buffer, size));
  fill_with_numbers(call, buffer, size);
  return 0;
}

INTERPOSE(std::uint32_t, arc4random) {
  AT_GATE_OR(REAL(arc4random)());
  call.touch(SpecialDescriptor::random);
  return static_cast<std::uint32_t>(next_number());
}

INTERPOSE(std::uint32_t, arc4random_uniform, std::uint32_t bound) {
  AT_GATE_OR(REAL(arc4random_uniform)(bound));
  call.touch(SpecialDescriptor::random);
  return bound < 2 ? 0 : static_cast<std::uint32_t>(next_number() % bound);
}

INTERPOSE(void, arc4random_buf, void* buffer, std::size_t size) {
  AT_GATE_OR(REAL(arc4random_buf)(buffer, size));
  fill_with_numbers(call, buffer, size);
}

// std::random_device::_M_getval(): the processor's random numbers otherwise.
extern "C" unsigned _ZNSt13random_device9_M_getvalEv(void* device);
INTERPOSE(unsigned, _ZNSt13random_device9_M_getvalEv, void* device) {
  AT_GATE_OR(REAL(_ZNSt13random_device9_M_getvalEv)(device));
  call.touch(SpecialDescriptor::random);
  return static_cast<unsigned>(next_number());
}

INTERPOSE(int, rand) {
  AT_GATE_OR(REAL(rand)());
  call.touch(SpecialDescriptor::random);
  return REAL(rand)();
}

INTERPOSE(void, srand, unsigned seed) {
  AT_GATE_OR(REAL(srand)(seed));
  call.touch(SpecialDescriptor::random);
  REAL(srand)(seed);
}

INTERPOSE(long, random) {
  AT_GATE_OR(REAL(random)());
  call.touch(SpecialDescriptor::random);
  return REAL(random)();
}

INTERPOSE(void, srandom, unsigned seed) {
  AT_GATE_OR(REAL(srandom)(seed));
  call.touch(SpecialDescriptor::random);
  REAL(srandom)(seed);
}

INTERPOSE(double, drand48) {
  AT_GATE_OR(REAL(drand48)());
  call.touch(SpecialDescriptor::random);
  return REAL(drand48)();
}

INTERPOSE(long, lrand48) {
  AT_GATE_OR(REAL(lrand48)());
  call.touch(SpecialDescriptor::random);
  return REAL(lrand48)();
}
