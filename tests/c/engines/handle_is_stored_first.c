//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DOTHER
// The handle of a new thread is stored before the thread starts, and is what the thread calls itself.
#include <assert.h>
#include <pthread.h>
static pthread_t thread;

static void *starts(void *unused) {
#ifdef OTHER
    assert(thread == 0);
#else
    assert(thread == pthread_self());
#endif
    return unused;
}

int main(void) {
    pthread_create(&thread, 0, starts, 0);
    pthread_join(thread, 0);
    return 0;
}
