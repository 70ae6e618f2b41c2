// A stack machine with threaded dispatch.
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, PRINT, JUMP_IF, HALT };

static void run(const int *code) {
    static void *labels[] = {&&push, &&add, &&multiply, &&duplicate, &&swap, &&print, &&jump_if, &&halt};
    int stack[32], *top = stack, t;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push: *top++ = *pc++; NEXT;
add: top--, top[-1] += top[0]; NEXT;
multiply: top--, top[-1] *= top[0]; NEXT;
duplicate: *top = top[-1], top++; NEXT;
swap: t = top[-1], top[-1] = top[-2], top[-2] = t; NEXT;
print: printf("%d ", *--top); NEXT;
jump_if: if (*--top) pc = code + *pc; else pc++; NEXT;
halt: putchar('\n');
}

int main(void) {
    const int code[] = {PUSH, 1, PUSH, 8, DUPLICATE, PRINT, DUPLICATE, PUSH, -1, ADD, SWAP, PRINT, SWAP, PUSH, 2, MULTIPLY,
                        DUPLICATE, PRINT, SWAP, DUPLICATE, JUMP_IF, 4, HALT};
    run(code);
    return 0;
}
