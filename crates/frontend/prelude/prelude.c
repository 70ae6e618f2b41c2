// Functions of the C library that call back into the program, in C: the machine runs them
// like the program's own. Compiled, this is prelude.ll, which is what is used:
//   clang -S -emit-llvm -O1 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -fno-builtin -fno-discard-value-names prelude.c

typedef unsigned long size_t;

static void swap(unsigned char *a, unsigned char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

// Insertion sort: as stable as the C library's merge sort, so that equal elements stay in
// their order as they do there.
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *bytes = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      unsigned char *here = bytes + j * size, *before = here - size;
      if (compare(before, here) <= 0)
        break;
      swap(before, here, size);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const unsigned char *bytes = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const unsigned char *here = bytes + middle * size;
    int order = compare(key, here);
    if (order == 0)
      return (void *)here;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

// 0: nobody has called it; 1: somebody does; 2: it was called. Orders are those of glibc: once it
// was called, a call is an acquire load and nothing else.
int pthread_once(int *once, void (*function)(void)) {
  if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == 2)
    return 0;
  int expected = 0;
  if (__atomic_compare_exchange_n(once, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    function();
    __atomic_store_n(once, 2, __ATOMIC_RELEASE);
    return 0;
  }
  while (__atomic_load_n(once, __ATOMIC_ACQUIRE) != 2)
    ;
  return 0;
}

// As qsort and bsearch, with one more argument for the comparison.
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *argument) {
  unsigned char *bytes = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      unsigned char *here = bytes + j * size, *before = here - size;
      if (compare(before, here, argument) <= 0)
        break;
      swap(before, here, size);
    }
}

void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
ldiv_t lldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }

void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void abort(void) __attribute__((noreturn));
int *__errno_location(void);
unsigned long pthread_self(void);

void *reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    *__errno_location() = 12; // ENOMEM
    return 0;
  }
  return realloc(old, bytes);
}

int gettid(void) { return (int)pthread_self(); }

// Functions to call at the end, the last first. What a handler registers is called, too.
typedef void (*handler_t)(void);
static handler_t exit_handlers[32], quick_exit_handlers[32];
static unsigned exit_count, quick_exit_count;

static int add_handler(handler_t *handlers, unsigned *count, handler_t handler) {
  unsigned place = __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
  if (place >= 32)
    abort();
  __atomic_store_n(handlers + place, handler, __ATOMIC_RELEASE);
  return 0;
}

static void call_handlers(handler_t *handlers, unsigned *count) {
  unsigned left;
  while ((left = __atomic_load_n(count, __ATOMIC_ACQUIRE)) > 0) {
    __atomic_store_n(count, left - 1, __ATOMIC_RELEASE);
    __atomic_load_n(handlers + left - 1, __ATOMIC_ACQUIRE)();
  }
}

int atexit(handler_t handler) { return add_handler(exit_handlers, &exit_count, handler); }
int at_quick_exit(handler_t handler) {
  return add_handler(quick_exit_handlers, &quick_exit_count, handler);
}
void __fencepost_exit(void) { call_handlers(exit_handlers, &exit_count); }
void __fencepost_quick_exit(void) { call_handlers(quick_exit_handlers, &quick_exit_count); }

// Cleanup handlers of a thread, the last first.
struct cleanup {
  void (*routine)(void *);
  void *argument;
  struct cleanup *next;
};
static __thread struct cleanup *cleanups;

void __fencepost_cleanup_push(struct cleanup *cleanup) {
  cleanup->next = cleanups;
  cleanups = cleanup;
}
void __fencepost_cleanup_pop(struct cleanup *cleanup, int run) {
  cleanups = cleanup->next;
  if (run)
    cleanup->routine(cleanup->argument);
}
void __fencepost_thread_exit(void) {
  while (cleanups)
    __fencepost_cleanup_pop(cleanups, 1);
}

// Where and how soon threads run is the scheduler's to say here, and every way is tried.
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) { return 0; }
int pthread_attr_setaffinity_np(void *attributes, size_t size, const void *set) { return 0; }
int pthread_setschedparam(unsigned long thread, int policy, const void *parameters) { return 0; }
int pthread_setschedprio(unsigned long thread, int priority) { return 0; }
int pthread_attr_setschedparam(void *attributes, const void *parameters) { return 0; }
int pthread_attr_setschedpolicy(void *attributes, int policy) { return 0; }
int pthread_attr_setstack(void *attributes, void *stack, size_t size) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int sched_setaffinity(int process, size_t size, const void *set) { return 0; }
int sched_setscheduler(int process, int policy, const void *parameters) { return 0; }
int sched_getcpu(void) { return 0; }

int ffs(int word) { return __builtin_ffs(word); }
int ffsl(long word) { return __builtin_ffsl(word); }
int ffsll(long long word) { return __builtin_ffsll(word); }

// Annotations of other checkers. Loops that wait are found without them, and need no bound.
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_loop_bound(int bound) { (void)bound; }
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int ends) { (void)ends; }
void __VERIFIER_annotate_begin(int kind) { (void)kind; }
void __VERIFIER_annotate_end(int kind) { (void)kind; }
_Bool __VERIFIER_opt_begin(void) { return 1; }
void __VERIFIER_assert(int condition) {
  if (!condition)
    abort();
}

// Hazard pointers. What is retired is freed as soon as none of them has it: in the step that retires it, or in that of the last
// hazard pointer to let go of it. An access that is wrong with a later end of its life is wrong with this one.
void fp_atomic_begin(void);
void fp_atomic_end(void);

typedef struct hazard {
  void *protects;
  struct hazard *next;
} hazard_t;
typedef struct retired {
  void *object;
  struct retired *next;
} retired_t;
static hazard_t *hazards;
static retired_t *all_retired;

static int is_protected(void *object) {
  for (hazard_t *hazard = hazards; hazard; hazard = hazard->next)
    if (hazard->protects == object)
      return 1;
  return 0;
}

static void let_go(hazard_t *hazard, void *protects) {
  fp_atomic_begin();
  hazard->protects = protects;
  retired_t **at = &all_retired;
  while (*at) {
    retired_t *retired = *at;
    if (is_protected(retired->object)) {
      at = &retired->next;
      continue;
    }
    *at = retired->next;
    free(retired->object);
    free(retired);
  }
  fp_atomic_end();
}

hazard_t *__VERIFIER_hazptr_alloc(void) {
  hazard_t *hazard = calloc(1, sizeof *hazard);
  fp_atomic_begin();
  hazard->next = hazards;
  hazards = hazard;
  fp_atomic_end();
  return hazard;
}
void __VERIFIER_hazptr_protect(hazard_t *hazard, void *object) { let_go(hazard, object); }
void __VERIFIER_hazptr_clear(hazard_t *hazard) { let_go(hazard, 0); }
void __VERIFIER_hazptr_free(hazard_t *hazard) {
  let_go(hazard, 0);
  fp_atomic_begin();
  hazard_t **at = &hazards;
  while (*at && *at != hazard)
    at = &(*at)->next;
  if (*at)
    *at = hazard->next;
  fp_atomic_end();
  free(hazard);
}
void __VERIFIER_hazptr_retire(void *object) {
  retired_t *retired = malloc(sizeof *retired);
  retired->object = object;
  fp_atomic_begin();
  if (is_protected(object)) {
    retired->next = all_retired;
    all_retired = retired;
  } else {
    free(object);
    free(retired);
  }
  fp_atomic_end();
}
