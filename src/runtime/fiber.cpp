#include "runtime/fiber.h"

#include <asm/prctl.h>
#include <elf.h>
#include <sys/auxv.h>

#include "runtime/futex.h"
#include "runtime/memory.h"

namespace heddle::runtime {

bool sets_thread_pointer_by_call = true;

namespace {

constexpr unsigned long kFsgsbase = 2;  // HWCAP2_FSGSBASE

// What heddle_switch_stacks leaves on a stack, from its top.
struct Saved {
  std::uint32_t vector_control = 0x1f80;  // as the kernel starts a process
  std::uint16_t float_control = 0x37f;
  std::uint16_t padding = 0;
  std::uint64_t r15 = 0, r14 = 0, r13 = 0, r12 = 0, rbx = 0, rbp = 0;
  std::uint64_t return_address = 0;
};

}  // namespace

asm(R"(
  .text
  .hidden heddle_switch_stacks
  .globl heddle_switch_stacks
  .type heddle_switch_stacks, @function
  .p2align 4
heddle_switch_stacks:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movl (%rsp), %eax
  movzwl 4(%rsp), %edx
  movq %rsi, %rsp
  cmpl (%rsp), %eax
  jne 1f
  cmpw 4(%rsp), %dx
  jne 1f
2:
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx  # a return would be foretold to go back to this caller
1:  # the control registers differ, which is rare; setting them takes longer than all the rest
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  jmp 2b
  .cfi_endproc
  .size heddle_switch_stacks, .-heddle_switch_stacks

  .hidden heddle_fiber_entry
  .globl heddle_fiber_entry
  .type heddle_fiber_entry, @function
heddle_fiber_entry:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r12, %rdi
  call *%r13
  ud2
  .cfi_endproc
  .size heddle_fiber_entry, .-heddle_fiber_entry
)");
extern "C" void heddle_fiber_entry();

bool find_out_how_to_set_thread_pointer() {
  sets_thread_pointer_by_call = (::getauxval(AT_HWCAP2) & kFsgsbase) == 0;
  return !sets_thread_pointer_by_call;
}

void set_thread_pointer_by_call(std::uint64_t thread_pointer) {
  system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(thread_pointer));
}

void prepare_fiber(Fiber& fiber, std::uint64_t stack_high, void (*function)(void*),
                   void* argument) {
  // At a function's first instruction the stack is 8 bytes off a multiple of 16.
  auto* saved = reinterpret_cast<Saved*>((stack_high & ~std::uint64_t{15}) - 16 - sizeof(Saved));
  *saved = Saved();
  saved->r12 = reinterpret_cast<std::uint64_t>(argument);
  saved->r13 = reinterpret_cast<std::uint64_t>(function);
  saved->return_address = reinterpret_cast<std::uint64_t>(&heddle_fiber_entry);
  fiber.stack_pointer = saved;
}

}  // namespace heddle::runtime
