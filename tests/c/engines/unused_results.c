//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DBETWEEN
//: sc,tso,pso: violated: -DPART
//: sc,tso,pso: violated: -DMIXED
//: sc,tso,pso: violated: -DOVERWRITTEN
//: sc,tso,pso: violated: -DUSED
// Additions with unused results commute; what comes between them can tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
union {
    atomic_int whole;
    atomic_schar parts[4];
} x;
int seen;
static void *add(void *unused) {
    atomic_fetch_add(&x.whole, 1);
    return 0;
}
static void *other(void *unused) {
#ifdef BETWEEN
    seen = atomic_load(&x.whole) == 1;
#endif
#ifdef PART
    seen = atomic_load(&x.parts[0]) == 1;
#endif
#ifdef MIXED
    atomic_fetch_or(&x.whole, 1);
#endif
#ifdef OVERWRITTEN
    atomic_store(&x.parts[0], 0);
#endif
#ifdef USED
    seen = atomic_fetch_add(&x.whole, 0) == 1;
#endif
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_create(&c, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(!seen && x.whole == 2);
}
