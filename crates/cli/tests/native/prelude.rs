//! What every generated program starts with: guarded division, guarded conversion
//! from floating types, and printing.
//!
//! Whether a NaN is printed with a sign depends on who computed it, the compiler or
//! the processor; so a NaN never reaches `printf` or a union as it is. Products and
//! sums are not contracted, for the same reason.

pub const PRELUDE: &str = r#"#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Weverything"

typedef __int128 int128_t;
typedef unsigned __int128 uint128_t;

#define UNSIGNED(type)                                                              \
    static type divide_##type(type a, type b) { return b == 0 ? a : (type)(a / b); } \
    static type rest_##type(type a, type b) { return b == 0 ? a : (type)(a % b); }
#define SIGNED(type, least)                                                                               \
    static type divide_##type(type a, type b) { return b == 0 || (b == -1 && a == least) ? a : (type)(a / b); } \
    static type rest_##type(type a, type b) { return b == 0 || (b == -1 && a == least) ? a : (type)(a % b); }
#define FROM(type, above, below) \
    static type type##_from(double d) { return d > above && d < below ? (type)d : (type)7; }

UNSIGNED(uint8_t) UNSIGNED(uint16_t) UNSIGNED(uint32_t) UNSIGNED(uint64_t) UNSIGNED(uint128_t)
SIGNED(int8_t, INT8_MIN) SIGNED(int16_t, INT16_MIN) SIGNED(int32_t, INT32_MIN) SIGNED(int64_t, INT64_MIN)
SIGNED(int128_t, (int128_t)((uint128_t)1 << 127))
FROM(int8_t, -129.0, 128.0) FROM(int16_t, -32769.0, 32768.0) FROM(int32_t, -2147483649.0, 2147483648.0)
FROM(int64_t, -9.2e18, 9.2e18) FROM(int128_t, -1.7e38, 1.7e38)
FROM(uint8_t, -1.0, 256.0) FROM(uint16_t, -1.0, 65536.0) FROM(uint32_t, -1.0, 4294967296.0)
FROM(uint64_t, -1.0, 18446744073709551616.0) FROM(uint128_t, -1.0, 3.4e38)

static float number_float(float f) { return f != f ? 0.0f : f; }
static double number_double(double d) { return d != d ? 0.0 : d; }
static void print_float(float f) {
    if (f != f)
        printf("nan ");
    else
        printf("%.9g ", f);
}
static void print_double(double d) {
    if (d != d)
        printf("nan ");
    else
        printf("%.17g %a ", d, d);
}
static void print_wide(uint128_t w) {
    printf("%016llx%016llx ", (unsigned long long)(w >> 64), (unsigned long long)w);
}

"#;
