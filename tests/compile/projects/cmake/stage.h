#pragma once
#include "queue.h"

void copy_items(Queue& from, Queue& to, int count);
