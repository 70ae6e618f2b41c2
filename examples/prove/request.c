/*
 * A client asks for the successor of any number, and a server answers, for ever.
 * BROKEN says that there is a request before it writes it.
 */
#include "endless.h"

static atomic_uint request, answer, state;
enum { IDLE, ASKED, ANSWERED };

static void *client(void *arg) {
    for (;;) {
        unsigned number = fp_choose(50000);
#ifdef BROKEN
        store(&state, ASKED);
        store(&request, number);
#else
        store(&request, number);
        store(&state, ASKED);
#endif
        await(load(&state) == ANSWERED);
        assert(load(&answer) == number + 1);
        store(&state, IDLE);
    }
    return arg;
}

static void *server(void *arg) {
    for (;;) {
        await(load(&state) == ASKED);
        store(&answer, load(&request) + 1);
        store(&state, ANSWERED);
    }
    return arg;
}

int main(void) {
    run(client, 1);
    run(server, 1);
    return 0;
}
