// check: holds
// What people write, and gcc takes: old-style functions, statement expressions, flexible arrays, memory from mmap.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

struct message {
  int length;
  char text[];
};

#define LARGER(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })

static int done;

void *run(argument)
void *argument;
{
  struct message *message = argument;
  assert(message->length == LARGER(3, (int)strlen(message->text)));
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  pthread_exit(0);
}

static int compare(const void *a, const void *b, void *sign) {
  return *(int *)sign * (*(const int *)a - *(const int *)b);
}

int main(void) {
  struct message *message = malloc(sizeof *message + 6);
  strcpy(message->text, "hello");
  message->length = 5;
  pthread_t thread;
  pthread_create(&thread, 0, run, message);
  pthread_setname_np(thread, "reader");
  cpu_set_t set;
  memset(&set, 0, sizeof set);
  pthread_setaffinity_np(thread, sizeof set, &set);
  pthread_join(thread, 0);
  assert(done);
  free(message);
  int *row = mmap(0, 4 * sizeof *row, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(row != MAP_FAILED && row[3] == 0);
  for (int i = 0; i < 4; i++)
    row[i] = i * i;
  int sign = -1;
  qsort_r(row, 4, sizeof *row, compare, &sign);
  assert(row[0] == 9 && row[3] == 0);
  munmap(row, 4 * sizeof *row);
  row = reallocarray(0, 2, sizeof *row);
  assert(row && !reallocarray(0, 1ul << 40, 1ul << 40));
  free(row);
  assert(ffs(12) == 3 && ffsl(0) == 0 && ffsll(1ll << 40) == 41);
  return 0;
}
