//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DSTORE
//: sc,tso,pso: violated: -DSTORAGE
//: sc,tso,pso: violated: -DSTORAGE -DSTORE
//: sc,tso,pso: violated: -DINNER
//: sc,tso,pso: holds: -DFIRST
// What a frame, or a thread's storage, held may be gone when another thread uses it.
#include <pthread.h>
#include <stdatomic.h>
struct request { atomic_int done, next; };
static _Atomic(struct request *) published;
static void wait_for(struct request *r) { published = r; while (!r->done) ; }
static void inner(void) { struct request r = {0, 0}; wait_for(&r); }
static _Thread_local struct request own;
static void *waiter(void *a) {
#ifdef STORAGE
    wait_for(&own);
#elif defined INNER
    inner();
#else
    struct request r = {0, 0};
    wait_for(&r);
#endif
    return a;
}
int main(void) {
    pthread_t t;
    struct request *r;
    pthread_create(&t, 0, waiter, 0);
    while (!(r = published)) ;
#ifdef FIRST
    int n = r->next;
    r->done = 1;
#else
    int n = 0;
    r->done = 1;
#ifdef STORE
    r->next = 1;
#else
    n = r->next;
#endif
#endif
    pthread_join(t, 0);
    return n;
}
