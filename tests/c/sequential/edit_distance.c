// Levenshtein distance and longest common subsequence.
#include <stdio.h>
#include <string.h>

static int least(int a, int b, int c) { return a < b ? (a < c ? a : c) : b < c ? b : c; }

static int distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), d[n + 1][m + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            d[i][j] = i == 0 ? j : j == 0 ? i : least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    return d[n][m];
}
static int common(const char *a, const char *b) {
    if (!*a || !*b)
        return 0;
    if (*a == *b)
        return 1 + common(a + 1, b + 1);
    int l = common(a + 1, b), r = common(a, b + 1);
    return l > r ? l : r;
}

int main(void) {
    printf("%d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("sunday", "saturday"));
    printf("%d\n", common("abcbd", "bdcab"));
    return 0;
}
