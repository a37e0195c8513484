#include "tests/explore/random_program.h"

#include <rapidcheck.h>

namespace heddle {
namespace {

// Below the bound; does not grow with the size of the case.
std::uint32_t number(std::uint32_t low, std::uint32_t bound) {
  return *rc::gen::resize(100, rc::gen::inRange(low, bound));
}
std::uint32_t number(std::uint32_t bound) { return number(0, bound); }

Op random_op() {
  return *rc::gen::weightedElement<Op>({{4, Op::write},
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
}

Op random_op_on_variables() {
  return *rc::gen::weightedElement<Op>({{4, Op::write},
                                        {8, Op::add},
                                        {3, Op::load},
                                        {3, Op::store},
                                        {2, Op::store_at},
                                        {1, Op::skip_if},
                                        {4, Op::test}});
}

Instruction random_instruction(Op op, const TinyProgram& program) {
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
  TinyProgram program;
  program.variables = number(1, 4);
  program.locks = number(1, 3);
  const std::uint32_t threads = number(2, 5);
  const std::uint32_t length = threads == 2 ? 6 : threads == 3 ? 4 : 3;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Instruction> code;
    for (std::uint32_t n = number(1, length); n > 0; --n)
      code.push_back(random_instruction(random_op(), program));
    program.threads.push_back(code);
  }
  return program;
}

TinyProgram random_wide_program() {
  TinyProgram program;
  const std::uint32_t threads = number(5, 10);
  program.variables = number(3, threads + 2);
  program.locks = 1;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Instruction> code;
    for (std::uint32_t n = 1 + number(5) / 3; n > 0; --n) {
      const Op op = number(8) == 0 ? random_op() : random_op_on_variables();
      code.push_back(random_instruction(op, program));
    }
    program.threads.push_back(code);
  }
  return program;
}

}  // namespace heddle
