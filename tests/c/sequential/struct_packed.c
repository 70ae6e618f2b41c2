// Packed structs have no padding, so members are not aligned.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) header {
    uint8_t kind;
    uint32_t length;
    uint16_t port;
    uint64_t stamp;
    double weight;
};

static uint64_t total(struct header h) { return h.kind + h.length + h.port + h.stamp; }

int main(void) {
    struct header h = {1, 0x01020304, 0xbeef, 0x1122334455667788, 2.5};
    unsigned char bytes[sizeof h];
    memcpy(bytes, &h, sizeof h);
    for (size_t i = 0; i < sizeof h; i++)
        printf("%02x", bytes[i]);
    printf(" %zu %zu %zu\n", sizeof h, offsetof(struct header, stamp), _Alignof(struct header));
    h.length++;
    h.stamp -= h.port;
    h.weight *= 3;
    printf("%u %llu %g %llu\n", h.length, (unsigned long long)h.stamp, h.weight, (unsigned long long)total(h));
    return 0;
}
