// check: holds
#include <stdio.h>
#include <pthread.h>
int n; int main(){ printf("%2$d %1$d\n",1,2); return 0;}
