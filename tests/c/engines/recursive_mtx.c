//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DFAILS
// A recursive mutex of C11 can be locked again by its owner.
#include <assert.h>
#include <threads.h>
static mtx_t mutex;

int main(void) {
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    mtx_unlock(&mutex);
#ifdef FAILS
    assert(0);
#endif
    return 0;
}
