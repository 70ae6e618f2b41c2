// Structs whose halves go in different kinds of registers.
#include <stdio.h>

struct id { int i; double d; };
struct di { double d; int i; };
struct ff { float a, b; };
struct fif { float a; int b; float c; };
struct dd { double a, b; };
struct cfd { char c; float f; double d; };

static struct id f1(struct id x) { return (struct id){x.i * 2, x.d / 2}; }
static struct di f2(struct di x) { return (struct di){x.d + x.i, -x.i}; }
static struct ff f3(struct ff x) { return (struct ff){x.b, x.a * 3}; }
static struct fif f4(struct fif x) { return (struct fif){x.c, x.b + 1, x.a}; }
static struct dd f5(struct dd x) { return (struct dd){x.a * x.b, x.a - x.b}; }
static struct cfd f6(struct cfd x) { return (struct cfd){(char)(x.c + 1), x.f * 2, x.d + x.f}; }

int main(void) {
    struct id a = f1((struct id){21, 5.5});
    struct di b = f2((struct di){1.25, 4});
    struct ff c = f3((struct ff){1.5f, 2.5f});
    struct fif d = f4((struct fif){0.5f, 7, 8.25f});
    struct dd e = f5((struct dd){3.5, -2});
    struct cfd f = f6((struct cfd){'m', 0.75f, 100});
    printf("%d %g %g %d %g %g\n", a.i, a.d, b.d, b.i, c.a, c.b);
    printf("%g %d %g %g %g %c %g %g\n", d.a, d.b, d.c, e.a, e.b, f.c, f.f, f.d);
    return 0;
}
