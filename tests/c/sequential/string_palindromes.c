// Palindromes, ignoring everything but letters.
#include <stdio.h>
#include <string.h>

static int letter(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c >= 'a' && c <= 'z' ? c : 0; }

static int palindrome(const char *s) {
    size_t low = 0, high = strlen(s);
    while (low < high) {
        if (!letter(s[low]))
            low++;
        else if (!letter(s[high - 1]))
            high--;
        else if (letter(s[low++]) != letter(s[--high]))
            return 0;
    }
    return 1;
}

int main(void) {
    printf("%d%d%d%d\n", palindrome("A man, a plan, a canal: Panama"), palindrome("fence"), palindrome(""), palindrome("ab!A"));
    return 0;
}
