// What puts and putchar return, and bytes above 127.
#include <stdio.h>

int main(void) {
    int a = puts("line") >= 0;
    int b = putchar('x');
    int c = putchar(0x1c3 & 0xff);
    putchar(0xa9);
    putchar('\n');
    printf("%d %d %d\n", a, b, c);
    puts("");
    printf("no newline at the end");
    return 0;
}
