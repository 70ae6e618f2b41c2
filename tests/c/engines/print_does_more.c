//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso: violated: -DRESULT
//: sc,tso,pso: violated: -DWRITES
//: sc,tso,pso: violated: -DSTRING
//: sc,tso,pso: violated: -DUNDEFINED
//: sc,tso,pso: undecided: -DWIDE
// An engine may leave out what is printed if a call does nothing else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x;
static void *add(void *unused) {
    int before = atomic_fetch_add(&x, 1);
    printf("%d, %3d%%\n", before, 5);
    puts("added");
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    int number = 0;
#ifdef RESULT
    number = printf("two") - 2;
#endif
#ifdef WRITES
    printf("two%n", &number);
#endif
#ifdef STRING
    char text[] = {'n', 'o', ' ', 'e', 'n', 'd'};
    printf("%s\n", text);
#endif
#ifdef UNDEFINED
    int nothing;
    printf("%d\n", nothing);
#endif
#ifdef WIDE
    printf("%300000000d", number);
#endif
    assert(number == 0 && x == 2);
}
