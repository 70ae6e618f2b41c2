// check: assertion
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
pthread_key_t k; void d(void*p){puts("destructor"); assert(0);}
int main(){pthread_key_create(&k,d);pthread_setspecific(k,&k);pthread_exit(0);}
