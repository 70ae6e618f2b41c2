// Cleaning up in reverse order on failure.
#include <stdio.h>
#include <stdlib.h>

static int work(int fail_at) {
    int result = -1;
    char *a = malloc(10);
    if (fail_at == 1)
        goto free_a;
    char *b = malloc(20);
    if (fail_at == 2)
        goto free_b;
    a[0] = b[0] = 'x';
    result = a[0] + b[0];
free_b:
    printf("b ");
    free(b);
free_a:
    printf("a ");
    free(a);
    return result;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%d\n", work(i));
    return 0;
}
