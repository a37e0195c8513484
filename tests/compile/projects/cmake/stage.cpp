#include "stage.h"

void copy_items(Queue& from, Queue& to, int count) {
  for (int i = 0; i < count; ++i) to.put(from.take());
}
