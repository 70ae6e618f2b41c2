// check --model sc,tso,pso: holds
#include <assert.h>
#include <stdint.h>
union {
  uint32_t word;
  uint8_t bytes[4];
} shared;
#include <pthread.h>
void *worker(void *unused) {
  (void)unused;
  shared.bytes[1] = 0x12;
  assert(((shared.word >> 8) & 0xff) == 0x12);
  shared.word = 0x01020304;
  assert(shared.bytes[3] == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(shared.word == 0x01020304);
  return 0;
}
