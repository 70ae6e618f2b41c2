// N threads write to what nobody reads: in which order makes no difference. With -DREAD=READ_.. somebody reads it after all, so that it does: in the end, in
// some executions, by a copy, or by waiting for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define READ_AFTER 1
#define READ_SOMETIMES 2
#define READ_BY_COPY 3
#define READ_BY_WAITING 4
#ifndef READ
#define READ 0
#endif

struct { atomic_int x; char c; } shared;
atomic_int flag;

void *writer(void *value) {
  atomic_store_explicit(&shared.x, (int)(long)value, memory_order_relaxed);
  shared.c = (char)(long)value;
#if READ == READ_SOMETIMES
  if ((long)value == 1) atomic_store(&flag, 1);
#endif
  return 0;
}

void *reader(void *unused) {
#if READ == READ_SOMETIMES
  if (atomic_load(&flag)) assert(atomic_load(&shared.x) != 2);
#elif READ == READ_BY_WAITING
  while (atomic_load(&shared.x) == 0);
  assert(atomic_load(&flag) || shared.c != 2);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N], last;
  pthread_create(&last, 0, reader, 0);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, writer, (void *)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  pthread_join(last, 0);
#if READ == READ_AFTER
  assert(shared.x != 2);
#elif READ == READ_BY_COPY
  char copy[sizeof shared];
  memcpy(copy, &shared, sizeof shared);
  assert(copy[0] != 2);
#endif
}
