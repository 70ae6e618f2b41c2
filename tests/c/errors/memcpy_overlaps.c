// check: assertion
#include <string.h>
char b[300];
int main(){ memcpy(b,b+2,64); return 0;}
