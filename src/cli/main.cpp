#include "cli/run.h"

int main(int argc, char** argv) { return heddle::run(argc, argv); }
