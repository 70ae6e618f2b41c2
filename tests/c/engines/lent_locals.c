//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DUNINITIALISED
//: sc,tso,pso,rmo,relaxed: violated: -DOUT_OF_BOUNDS
//: sc,tso,pso,rmo,relaxed: violated: -DTWICE
//: sc,tso,pso,rmo,relaxed: violated: -DWITHIN
//: sc,tso,pso,rmo,relaxed: violated: -DMISALIGNED
//: sc,tso,pso,rmo,relaxed: violated: -DMISALIGNED -DHERE
// Locals whose address goes to functions that do not keep it: out-parameters, structures by value and by pointer,
// what a wrapper of a compare-and-exchange expects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct triple { long first, second, third; };
struct pair { int low, high; };
union word { int whole; struct { short low, high; } half; };

static atomic_int lock;
static int shared;

static inline bool cas(atomic_int *at, int *expected, int desired) {
    return atomic_compare_exchange_strong(at, expected, desired);
}
static inline void put(int *out, int value) { if (out != NULL) *out = value; }
static inline void pass_on(int *out, int value) { put(out, value); }
static void maybe(int *out, bool really) { if (really) *out = 1; }
static void at(int *array, bool beyond) { array[beyond ? 2 : 1] = 7; }
static void second(int *array, bool beyond) { if (beyond) array[2] = 7; else array[1] = 7; }
static void both(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); }
static void part(int *low, struct pair *whole) { *low = 5; whole->low = 6; assert(*low == 5); }
static void swap(int *a, int *b) { int old = *a; *a = *b; *b = old; }
static struct triple make(long first) { struct triple made = {first, 2, 3}; return made; }
static long sum(struct triple of) { of.second += 10; return of.first + of.second + of.third; }
static void set_high(union word *word, short high) { word->half.high = high; }
static void fibonacci(int n, int *out) {
    int a, b;
    if (n < 2) { *out = n; return; }
    fibonacci(n - 1, &a);
    fibonacci(n - 2, &b);
    *out = a + b;
}

static void *worker(void *unused) {
    (void)unused;
    int expected = 0;
    while (!cas(&lock, &expected, 1)) expected = 0;
    shared++;
    atomic_store(&lock, 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(shared == 2);

    int value = 0, array[2] = {1, 2};
    struct pair pair = {3, 4};
    pass_on(&value, 5);
    put(NULL, 6);
    at(array, false);
    second(array, false);
    swap(&pair.low, &pair.high);
    swap(&array[0], &pair.low);
    assert(value == 5 && array[0] == 4 && array[1] == 7 && pair.low == 1 && pair.high == 3);
    struct triple triple = make(1);
    assert(sum(triple) == 16 && triple.second == 2);
    union word word = {0x01020304};
    set_high(&word, 0x0506);
    assert(word.whole == 0x05060304);
    int *alias = &value;
    put(alias, 8);
    assert(value == 8);
    fibonacci(4, &value);
    assert(value == 3);
#ifdef UNINITIALISED
    int never;
    maybe(&never, false);
    if (never) return 1;
#endif
#ifdef OUT_OF_BOUNDS
    second(array, true);
#endif
#ifdef TWICE
    both(&value, &value);
#endif
#ifdef WITHIN
    part(&pair.low, &pair);
#endif
#ifdef MISALIGNED
    char bytes[8];
#ifdef HERE
    *(int *)(bytes + 1) = 1;
#else
    put((int *)(bytes + 1), 1);
#endif
#endif
    (void)maybe; (void)both; (void)part;
    return 0;
}
