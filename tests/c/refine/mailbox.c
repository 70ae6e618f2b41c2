// Room for one message: without fences the mark may be seen before the message.
#include <fencepost.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE(kinds) fp_fence(kinds)
#else
#define FENCE(kinds)
#endif

static atomic_int message, full;

#define write(place, value) atomic_store_explicit(place, value, memory_order_relaxed)
#define read(place) atomic_load_explicit(place, memory_order_relaxed)

FP_OPERATION(put) {
    write(&message, 1 + fp_argument("which", 2));
    FENCE(FP_STORE_STORE);
    write(&full, 1);
}

FP_OPERATION(take) {
    int found = read(&full);
    FENCE(FP_LOAD_LOAD);
    fp_result("found", found);
    if (found)
        fp_result("message", read(&message));
}
