//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DCALLED
// The destructor of a key that another thread deletes is called or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_key_t key;
static atomic_int called, set;
static void destroy(void *value) { atomic_fetch_add(&called, 1); }
static void *use(void *a) {
    pthread_setspecific(key, &called);
    atomic_store(&set, 1);
    return a;
}
int main(void) {
    pthread_t a;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, use, 0);
    while (!atomic_load(&set)) ;
    pthread_key_delete(key);
    pthread_join(a, 0);
#ifdef CALLED
    assert(called);
#else
    assert(!called);
#endif
}
