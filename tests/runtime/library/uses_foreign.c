/* A program that lets a library write which is not instrumented. */
void fill(int* place);
int filled;
int other;
int main(void) {
  filled = 1;
  other = 1; /* the value of a write is what is there at the next operation */
  fill(&filled);
  return filled == 7 ? 0 : 1;
}
