static unsigned last;

unsigned checksum(unsigned sum, int item) { return last = sum * 31u + (unsigned)item; }
