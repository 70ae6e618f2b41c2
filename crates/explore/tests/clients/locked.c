#define LOCKED
#include "queue.h"
