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

void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
ldiv_t lldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
