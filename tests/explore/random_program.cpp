#include "tests/explore/random_program.h"

#include <rapidcheck.h>

namespace heddle {
namespace {

Instruction random_instruction(const TinyProgram& program) {
  const auto number = [](std::uint32_t bound) {
    return *rc::gen::resize(100, rc::gen::inRange(0u, bound));
  };
  const Op op = *rc::gen::weightedElement<Op>({{4, Op::write},
                                               {4, Op::add},
                                               {4, Op::load},
                                               {3, Op::store},
                                               {3, Op::store_at},
                                               {2, Op::skip_if},
                                               {3, Op::test},
                                               {1, Op::check},
                                               {4, Op::lock},
                                               {4, Op::unlock},
                                               {2, Op::trylock},
                                               {2, Op::post},
                                               {2, Op::semaphore_wait},
                                               {2, Op::wait},
                                               {2, Op::notify},
                                               {1, Op::notify_all},
                                               {1, Op::choose}});
  Instruction i{op};
  switch (op) {
    case Op::write: i = {op, number(program.variables), number(3)}; break;
    case Op::add: i = {op, number(program.variables), number(program.variables)}; break;
    case Op::skip_if: i = {op, number(2), 1 + number(2)}; break;
    case Op::test: i = {op, number(program.variables), number(2), 1 + number(2)}; break;
    case Op::check: i = {op, number(program.variables), 2}; break;
    case Op::store_at: i = {op, number(program.variables), number(3)}; break;
    case Op::lock:
    case Op::unlock:
    case Op::trylock: i = {op, number(program.locks)}; break;
    case Op::choose: i = {op, 2}; break;
    case Op::load:
    case Op::store: i = {op, number(program.variables)}; break;
    default: break;
  }
  return i;
}

}  // namespace

TinyProgram random_program() {
  const auto number = [](std::uint32_t low, std::uint32_t high) {
    return *rc::gen::resize(100, rc::gen::inRange(low, high));
  };
  TinyProgram program;
  program.variables = number(1, 4);
  program.locks = number(1, 3);
  const std::uint32_t threads = number(2, 5);
  const std::uint32_t length = threads == 2 ? 6 : threads == 3 ? 4 : 3;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Instruction> code;
    for (std::uint32_t n = number(1, length); n > 0; --n)
      code.push_back(random_instruction(program));
    program.threads.push_back(code);
  }
  return program;
}

}  // namespace heddle
