//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: violated: -DDETACHED
//: sc,tso,pso: violated: -DBY_OTHERS
//: sc,tso,pso,rmo,relaxed: holds: -DONCE
// A thread is joined once, and not after it was detached.
#include <pthread.h>

static pthread_t thread;
static void *ends(void *unused) { return 0; }
static void *joins(void *unused) {
    pthread_join(thread, 0);
    return 0;
}

int main(void) {
    pthread_create(&thread, 0, ends, 0);
#if defined BY_OTHERS
    pthread_t other;
    pthread_create(&other, 0, joins, 0);
    pthread_join(thread, 0);
    pthread_join(other, 0);
#elif defined DETACHED
    pthread_detach(thread);
    pthread_join(thread, 0);
#elif defined ONCE
    pthread_t other;
    pthread_create(&other, 0, ends, 0);
    pthread_detach(other);
    pthread_join(thread, 0);
#else
    pthread_join(thread, 0);
    pthread_join(thread, 0);
#endif
    return 0;
}
