// _Generic chooses by type.
#include <stdint.h>
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", \
    char: "char", char *: "text", const char *: "constant text", default: "other")

int main(void) {
    char c = 'c';
    short s = 1;
    char text[] = "t";
    const char *fixed = text;
    printf("%s %s %s %s %s\n", KIND(1), KIND(1u), KIND(1l), KIND(1.0f), KIND(1.0));
    printf("%s %s %s %s %s\n", KIND(c), KIND(s), KIND(s + s), KIND(text), KIND(fixed));
    printf("%s %s\n", KIND((uint8_t)1 + 1u), KIND(1ull));
    return 0;
}
