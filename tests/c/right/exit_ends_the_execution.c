// check: holds
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  exit(0);
}
