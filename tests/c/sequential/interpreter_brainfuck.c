// An interpreter inside the interpreter.
#include <stdio.h>

int main(void) {
    const char *code = "++++++[>+++++++++++<-]>.>++++[<+++++++++>-]<-.+++++++..+++.";
    unsigned char tape[16] = {0};
    int at = 0;
    for (const char *pc = code; *pc; pc++)
        switch (*pc) {
        case '>': at++; break;
        case '<': at--; break;
        case '+': tape[at]++; break;
        case '-': tape[at]--; break;
        case '.': putchar(tape[at]); break;
        case '[':
        case ']':
            if ((*pc == '[') == !tape[at])
                for (int depth = 0, step = *pc == '[' ? 1 : -1;; pc += step) {
                    depth += (*pc == '[') - (*pc == ']');
                    if (depth == 0)
                        break;
                }
        }
    putchar('\n');
    return 0;
}
