//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DREVERSED
//: sc,tso,pso: violated: -DSTORE
//: sc,tso,pso: violated: -DSTORE -DREVERSED
//: sc,tso,pso: violated: -DUPDATE
//: sc,tso,pso: violated: -DEND=realloc(q,64)
//: sc,tso,pso: violated: -DEND=realloc(q,64) -DSTORE -DREVERSED
//: sc,tso,pso: violated: -DUSE=free(q)
//: sc,tso,pso: violated: -DUSE=memset(q,1,4)
//: sc,tso,pso: violated: -DUSE=q[0]=q[1]
//: sc,tso,pso: violated: -DIN_MAIN
//: sc,tso,pso: violated: -DIN_MAIN -DSTORE
//: sc,tso,pso: holds: -DJOINED
//: sc,tso,pso: holds: -DJOINED -DSTORE
// The end of an object conflicts with every use of it, whoever comes first.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int *q;
static int seen;
#ifdef STORE
#define USE q[0] = 1
#elif defined UPDATE
#define USE __atomic_fetch_add(q, 1, __ATOMIC_RELAXED)
#elif !defined USE
#define USE seen = q[0]
#endif
#ifndef END
#define END free(q)
#endif
static void *use(void *a) { USE; return a; }
static void *end(void *a) { END; return a; }
int main(void) {
    pthread_t t, u;
    q = calloc(2, 4);
#ifdef REVERSED
    pthread_create(&u, 0, end, 0);
    pthread_create(&t, 0, use, 0);
#elif defined IN_MAIN
    pthread_create(&t, 0, use, 0);
    end(0);
    pthread_join(t, 0);
    return 0;
#elif defined JOINED
    pthread_create(&t, 0, use, 0);
    pthread_join(t, 0);
    end(0);
    return 0;
#else
    pthread_create(&t, 0, use, 0);
    pthread_create(&u, 0, end, 0);
#endif
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
