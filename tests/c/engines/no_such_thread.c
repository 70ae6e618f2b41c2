//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: violated: -DSOMETIMES
//: sc,tso,pso: violated: -DATTRIBUTES
// A handle that was never stored is no thread's, and a thread that starts detached cannot be joined.
#include <pthread.h>
#include <stdatomic.h>
static pthread_t thread;
static atomic_int started;
static void *ends(void *unused) { return unused; }
static void *starts(void *unused) {
    pthread_create(&thread, 0, ends, 0);
    return unused;
}

int main(void) {
#if defined SOMETIMES
    pthread_t other;
    pthread_create(&other, 0, starts, 0);
    pthread_join(thread, 0);
#elif defined ATTRIBUTES
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, ends, 0);
    pthread_join(thread, 0);
#else
    pthread_join(thread, 0);
#endif
    return 0;
}
