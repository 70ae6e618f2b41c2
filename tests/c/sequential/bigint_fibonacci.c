// The 100th Fibonacci number with string addition.
#include <stdio.h>
#include <string.h>

static void add(const char *a, const char *b, char *sum) {
    int i = 0, carry = 0;
    int n = (int)strlen(a), m = (int)strlen(b);
    while (i < n || i < m || carry) {
        int digit = carry + (i < n ? a[i] - '0' : 0) + (i < m ? b[i] - '0' : 0);
        sum[i++] = (char)('0' + digit % 10);
        carry = digit / 10;
    }
    sum[i] = '\0';
}

int main(void) {
    char numbers[3][40] = {"0", "1", ""};
    for (int i = 2; i <= 100; i++)
        add(numbers[(i - 1) % 3], numbers[(i - 2) % 3], numbers[i % 3]);
    const char *result = numbers[100 % 3];
    for (int i = (int)strlen(result); i-- > 0;)
        putchar(result[i]);
    putchar('\n');
    return 0;
}
