#include "runtime/call_on_stack.h"

asm(R"(
  .text
  .hidden heddle_call_on_stack
  .globl heddle_call_on_stack
  .type heddle_call_on_stack, @function
heddle_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rsp
  movq %rdx, %rdi
  call *%rsi
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size heddle_call_on_stack, .-heddle_call_on_stack
)");
