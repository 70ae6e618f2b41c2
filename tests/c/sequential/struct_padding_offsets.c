// Where members lie.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct a { char c; int i; };
struct b { char c; short s; int64_t l; char d; };
struct c { struct a first; char c; struct b second; };
struct d { char c; __int128 wide; };
struct e { float f; double d; float g; };

int main(void) {
    printf("%zu %zu\n", offsetof(struct a, i), sizeof(struct a));
    printf("%zu %zu %zu %zu\n", offsetof(struct b, s), offsetof(struct b, l), offsetof(struct b, d), sizeof(struct b));
    printf("%zu %zu %zu\n", offsetof(struct c, c), offsetof(struct c, second.l), sizeof(struct c));
    printf("%zu %zu %zu\n", offsetof(struct d, wide), sizeof(struct d), _Alignof(struct d));
    printf("%zu %zu %zu\n", offsetof(struct e, d), offsetof(struct e, g), sizeof(struct e));
    struct c array[2];
    printf("%td\n", (char *)&array[1].second.s - (char *)array);
    return 0;
}
