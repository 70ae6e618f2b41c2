//: sc,tso,pso: holds
// A destructor runs after a function of many registers has returned.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <fencepost.h>
static void *t0(void *a);
struct node { struct node *next; int flag; };
static struct node *tail1;
static int lock0;
static int ended;
static void last0(void *v) { __atomic_fetch_add(&ended, (int)(long)v, __ATOMIC_RELAXED); }
static pthread_key_t k0;
static int next0;
static int serve0;
static int next1;
static int turns1[4] = {1};
static void *t1(void *a);
static void st_int_relaxed(int *p, int v) { __atomic_store_n(&(*p), v, __ATOMIC_RELAXED); }
static int c0 = 0;
static void *t0(void *a) {
    { struct node n = {0, 1}, *o = __atomic_exchange_n(&tail1, &n, __ATOMIC_RELAXED); if (o) { __atomic_store_n(&o->next, &n, __ATOMIC_RELEASE); while (__atomic_load_n(&n.flag, __ATOMIC_ACQUIRE)) ; }
    while (__atomic_exchange_n(&lock0, 1, __ATOMIC_RELAXED)) ;
    __atomic_store_n(&lock0, 0, __ATOMIC_RELAXED);
    struct node *s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE), *e = &n; if (s || !__atomic_compare_exchange_n(&tail1, &e, (struct node *)0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { while (!(s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE))) ; __atomic_store_n(&s->flag, 0, __ATOMIC_RELAXED); } }
    pthread_setspecific(k0, (void *)1L);
    { int e = __atomic_fetch_add(&next0, 1, __ATOMIC_RELAXED); while (__atomic_load_n(&serve0, __ATOMIC_ACQUIRE) != e) ; }
    { int e = __atomic_fetch_add(&next1, 1, __ATOMIC_RELAXED) & 3; while (!__atomic_load_n(&turns1[e], __ATOMIC_ACQUIRE)) ; __atomic_store_n(&turns1[e], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&turns1[e + 1 & 3], 1, __ATOMIC_RELAXED); }
    __atomic_fetch_add(&serve0, 1, __ATOMIC_RELAXED);
    return a;
}
static void *t1(void *a) {
    st_int_relaxed(&c0, 1);
    return a;
}
int main(void) {
    pthread_key_create(&k0, last0);
    pthread_t h0;
    pthread_t h1;
    pthread_create(&h0, 0, t0, 0);
    pthread_create(&h1, 0, t1, 0);
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    fp_observe("c0", c0);
    return 0;
}
