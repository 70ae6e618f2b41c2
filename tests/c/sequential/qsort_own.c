// A quicksort of one's own over any type.
#include <stdio.h>
#include <string.h>

static void sort(char *base, int count, int size, int (*compare)(const void *, const void *)) {
    if (count < 2)
        return;
    char pivot[16], t[16];
    memcpy(pivot, base + count / 2 * size, (size_t)size);
    int low = 0, high = count - 1;
    while (low <= high) {
        while (compare(base + low * size, pivot) < 0)
            low++;
        while (compare(base + high * size, pivot) > 0)
            high--;
        if (low <= high) {
            memcpy(t, base + low * size, (size_t)size);
            memcpy(base + low * size, base + high * size, (size_t)size);
            memcpy(base + high * size, t, (size_t)size);
            low++, high--;
        }
    }
    sort(base, high + 1, size, compare);
    sort(base + low * size, count - low, size, compare);
}

static int by_int(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

int main(void) {
    int numbers[30];
    for (int i = 0; i < 30; i++)
        numbers[i] = i * 7919 % 101 - 50;
    const char *words[] = {"delta", "alpha", "echo", "bravo", "charlie"};
    sort((char *)numbers, 30, sizeof *numbers, by_int);
    sort((char *)words, 5, sizeof *words, by_text);
    for (int i = 0; i < 30; i++)
        printf("%d ", numbers[i]);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    putchar('\n');
    return 0;
}
