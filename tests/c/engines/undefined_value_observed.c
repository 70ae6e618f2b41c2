//: pso,rmo,relaxed: violated
// Observing an undefined value is wrong.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <fencepost.h>
#include <assert.h>
_Atomic(int*) p;
static void *t(void*a){ int *q=malloc(4); *q=1; atomic_store_explicit(&p,q,memory_order_relaxed); return 0;}
int main(){ pthread_t h; pthread_create(&h,0,t,0); int *q=p; int r=7; if(q) r=*q; fp_observe("r",r); pthread_join(h,0); }
