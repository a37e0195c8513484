/* A library that is not instrumented. */
void fill(int* place) { *place = 7; }
