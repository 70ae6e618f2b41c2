//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DSTORED
// A pointer to a local that was kept in another local gets out of the call.
static int *outside;

static int *leave(void) {
    int value = 1;
    int *volatile kept = &value;
#ifdef STORED
    outside = kept;
#endif
    return kept;
}

int main(void) {
    int *left = leave();
#ifdef STORED
    return *outside;
#else
    return *left;
#endif
}
