/* Runs litmus tests, each for some time, and prints what was observed: the number of the test, how often, values. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { INSTANCES = 256, SLOTS = 8, THREADS = 3, OBSERVED = 48, DISTINCT = 512 };
typedef void thread_code(char *locations, uint64_t *registers);
/* A cell of so many bits at an offset, or the register of this number if it has 0 bits. */
struct observed { int bits, at; };
struct test {
    void (*setup)(char *);
    int threads;
    thread_code *code[THREADS];
    long size;
    int count;
    struct observed observed[OBSERVED];
};

static char *memory;
static uint64_t registers[INSTANCES][THREADS * SLOTS];
static struct { _Alignas(64) long count, position; } arrived[THREADS];
static const struct test *chosen;
static int running;
static unsigned seed[THREADS] = {1, 2, 3};

/* All threads of the test come here before any goes on. */
static void meet(int who, int threads) {
    long count = arrived[who].count + 1;
    __atomic_store_n(&arrived[who].count, count, __ATOMIC_SEQ_CST);
    for (int other = 0; other < threads; other++)
        for (int spins = 0; __atomic_load_n(&arrived[other].count, __ATOMIC_ACQUIRE) < count; spins++)
            if (spins > 3000) { sched_yield(); spins = 0; }
}

/* Two threads come to an instance at about the same time, unless the other one is not running. */
static void meet_briefly(int who, long position) {
    __atomic_store_n(&arrived[who].position, position, __ATOMIC_RELEASE);
    for (int spins = 0; spins < 3000; spins++)
        if (__atomic_load_n(&arrived[1 - who].position, __ATOMIC_ACQUIRE) >= position) return;
}

static void wait_a_little(int who) {
    seed[who] = seed[who] * 1103515245 + 12345;
    for (volatile unsigned n = (seed[who] >> 16) & 15; n; n--) ;
}

static void pin(int who) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(who % sysconf(_SC_NPROCESSORS_ONLN), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* One pass over all instances. Two threads meet before each; three may share a core and do not. */
static void pass(int who, const struct test *test) {
    long before = arrived[who].position;
    for (int i = 0; i < INSTANCES; i++) {
        if (test->threads == 2) { meet_briefly(who, before + i + 1); wait_a_little(who); }
        test->code[who](memory + i * test->size, registers[i] + who * SLOTS);
    }
}

static void *partner(void *number) {
    int who = (int)(long)number;
    const struct test *test = chosen;
    pin(who);
    for (;;) {
        meet(who, test->threads);
        if (!running) return 0;
        pass(who, test);
        meet(who, test->threads);
    }
}

/* The value, or where an address points, in a form that no other value has. */
static uint64_t canonical(uint64_t value, char *locations, long size) {
    uint64_t offset = value - (uint64_t)locations;
    return offset < (uint64_t)size ? offset | (uint64_t)0xadd7 << 48 : value;
}

static uint64_t value_of(struct observed what, char *locations, uint64_t *own, long size) {
    switch (what.bits) {
    case 0: return canonical(own[what.at], locations, size);
    case 8: return *(uint8_t *)(locations + what.at);
    case 16: return *(uint16_t *)(locations + what.at);
    case 32: return *(uint32_t *)(locations + what.at);
    default: return canonical(*(uint64_t *)(locations + what.at), locations, size);
    }
}

static long microseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static uint64_t seen[DISTINCT][OBSERVED];
static long times[DISTINCT];

static void run_test(int number, const struct test *test, long each) {
    pthread_t others[THREADS];
    int known = 0;
    memset(arrived, 0, sizeof arrived);
    chosen = test;
    running = 1;
    for (int who = 1; who < test->threads; who++) pthread_create(&others[who], 0, partner, (void *)(long)who);
    for (long end = microseconds() + each; microseconds() < end;) {
        for (int i = 0; i < INSTANCES; i++) test->setup(memory + i * test->size);
        meet(0, test->threads);
        pass(0, test);
        meet(0, test->threads);
        for (int i = 0; i < INSTANCES; i++) {
            uint64_t values[OBSERVED];
            char *locations = memory + i * test->size;
            for (int o = 0; o < test->count; o++)
                values[o] = value_of(test->observed[o], locations, registers[i], test->size);
            int at = 0;
            while (at < known && memcmp(seen[at], values, test->count * sizeof *values)) at++;
            if (at == DISTINCT) continue;
            if (at == known) { memcpy(seen[known], values, sizeof values); times[known++] = 0; }
            times[at]++;
        }
    }
    running = 0;
    meet(0, test->threads);
    for (int who = 1; who < test->threads; who++) pthread_join(others[who], 0);
    for (int at = 0; at < known; at++) {
        printf("%x %lx", number, times[at]);
        for (int o = 0; o < test->count; o++) printf(" %lx", seen[at][o]);
        printf("\n");
    }
    fflush(stdout);
}

static int run_all(const struct test *tests, int from, int count, long each) {
    memory = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (memory == MAP_FAILED) return 1;
    pin(0);
    for (int i = from; i < count; i++) run_test(i, &tests[i], each);
    return 0;
}

