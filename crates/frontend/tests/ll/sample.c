#define atomic_int _Atomic int
struct pair { char tag; int values[3]; };
struct big { long words[4]; };
atomic_int ready;
static struct pair data = {'x', {1, 2, -3}};
const char *greeting = "hi\n";
_Thread_local int mine;
double ratio = 0.1;
int printf(const char *, ...);
static long sum(struct big b) { return b.words[0] + b.words[3]; }
int publish(int value, struct big b) {
  data.values[1] = value;
  __asm__ volatile("mfence" ::: "memory");
  __c11_atomic_store(&ready, 1, __ATOMIC_RELEASE);
  int expected = 1;
  if (__c11_atomic_compare_exchange_weak(&ready, &expected, 2, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    printf("%s %d\n", greeting, expected);
  __c11_atomic_fetch_add(&ready, value, __ATOMIC_SEQ_CST);
  __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  __c11_atomic_signal_fence(__ATOMIC_ACQUIRE);
  switch (value) { case 1: mine = 5; break; case -7: mine = 6; break; default: mine++; }
  for (int i = 0; i < value; i++) data.values[i] += i;
  return (int)sum(b);
}
