// Inline assembly writes to a variable; no hook tells of it.
int shared;
int other;

int main(void) {
  shared = 1;
  other = 1;  // the value of a write is what is there at the next operation
  __asm__ volatile("movl $7, %0" : "=m"(shared));
  return shared == 7 ? 0 : 1;  // line 9
}
