//: sc,tso,pso: violated
// strtok goes on in whatever string another thread has begun: also the call that fails there reads what the other left.
#include <pthread.h>
#include <string.h>
static void *cut(void *unused) {
    char words[] = "a b";
    return strtok(words, " ")[0] + strtok(0, " ")[0] ? unused : 0;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, cut, 0);
    pthread_create(&other, 0, cut, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
