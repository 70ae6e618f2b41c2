//! What of the C library occurs in programs: objects, locks, and calls, as text.
//!
//! In the text `$name` is a name of the program, which gets the program's prefix. What such a name needs (its
//! declaration, what `main` does with it at first) is in [`OBJECTS`], found by name when a program
//! is printed. `{r}` is a register, `{k}` a number from 1 to 3, `{i}` 0 or 1, `{c}` a shared cell, `{at}` its address,
//! and `@` one of the names of the row.

/// Something that statements name.
pub struct ObjectRow {
    /// Its name, without `$`.
    pub name: &'static str,
    /// Its declaration, after those of what it names itself.
    pub declaration: &'static str,
    /// What `main` does first; may be empty.
    pub setup: &'static str,
}

/// A lock of the library.
pub struct GuardRow {
    /// How it is taken; opens a block.
    pub open: &'static str,
    /// How it is given back; closes the block.
    pub close: &'static str,
    /// Locks of one class can be exchanged for each other under every model.
    pub class: u8,
}

/// A call of the library, with what stands around it.
pub struct SnippetRow {
    /// What families call it by.
    pub group: &'static str,
    /// The text.
    pub code: &'static str,
    /// What `@` stands for.
    pub names: &'static [&'static str],
}

macro_rules! objects {
    ($($name:literal $declaration:literal $setup:literal;)*) => {
        /// Everything that can be named.
        pub const OBJECTS: &[ObjectRow] = &[$(ObjectRow { name: $name, declaration: $declaration, setup: $setup },)*];
    };
}

objects! {
    "m0" "static pthread_mutex_t $m0 = PTHREAD_MUTEX_INITIALIZER;" "";
    "m1" "static pthread_mutex_t $m1;" "pthread_mutex_init(&$m1, 0);";
    "mr0" "static pthread_mutex_t $mr0;" "{ pthread_mutexattr_t a; int t; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutexattr_gettype(&a, &t); pthread_mutexattr_setpshared(&a, 0); pthread_mutex_init(&$mr0, &a); pthread_mutexattr_destroy(&a); }";
    "mr1" "static pthread_mutex_t $mr1 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;" "";
    "me0" "static pthread_mutex_t $me0 = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;" "";
    "me1" "static pthread_mutex_t $me1;" "{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&$me1, &a); pthread_mutexattr_destroy(&a); }";
    "x0" "static mtx_t $x0;" "mtx_init(&$x0, mtx_plain);";
    "x1" "static mtx_t $x1;" "mtx_init(&$x1, mtx_timed);";
    "p0" "static pthread_spinlock_t $p0;" "pthread_spin_init(&$p0, 0);";
    "p1" "static pthread_spinlock_t $p1;" "pthread_spin_init(&$p1, 0);";
    "w0" "static pthread_rwlock_t $w0 = PTHREAD_RWLOCK_INITIALIZER;" "";
    "w1" "static pthread_rwlock_t $w1;" "pthread_rwlock_init(&$w1, 0);";
    "v0" "static pthread_cond_t $v0 = PTHREAD_COND_INITIALIZER;" "";
    "v1" "static pthread_cond_t $v1;" "pthread_cond_init(&$v1, 0);";
    "y0" "static cnd_t $y0;" "cnd_init(&$y0);";
    "b0" "static pthread_barrier_t $b0;" "pthread_barrier_init(&$b0, 0, 2);";
    "b1" "static pthread_barrier_t $b1;" "pthread_barrier_init(&$b1, 0, 2);";
    "s0" "static sem_t $s0;" "sem_init(&$s0, 0, 0);";
    "s1" "static sem_t $s1;" "sem_init(&$s1, 0, 1);";
    "q0" "static sem_t $q0;" "sem_init(&$q0, 0, 1);";
    "q1" "static sem_t $q1;" "sem_init(&$q1, 0, 1);";
    "ts" "static struct timespec $ts;" "";
    "full" "static int $full;" "";
    "done0" "static int $done0;" "";
    "done1" "static int $done1;" "";
    "once0" "static void $once0(void) { $done0 = $done0 + 1; }" "";
    "once1" "static void $once1(void) { __atomic_fetch_add(&$done1, 1, __ATOMIC_RELAXED); }" "";
    "o0" "static pthread_once_t $o0 = PTHREAD_ONCE_INIT;" "";
    "o1" "static once_flag $o1 = ONCE_FLAG_INIT;" "";
    "ended" "static int $ended;" "";
    "last0" "static void $last0(void *v) { __atomic_fetch_add(&$ended, (int)(long)v, __ATOMIC_RELAXED); }" "";
    "k0" "static pthread_key_t $k0;" "pthread_key_create(&$k0, $last0);";
    "k1" "static tss_t $k1;" "tss_create(&$k1, $last0);";
    "lastf" "static void $lastf(void *v) { free(v); }" "";
    "kf" "static pthread_key_t $kf;" "pthread_key_create(&$kf, $lastf);";
    "hp" "static int *$hp;" "";
    "hq" "static int *$hq;" "$hq = malloc(sizeof(int)); *$hq = 1;";
    "fp" "static int *$fp;" "";
    "go" "static int $go;" "";
    "frame0" "static long $frame0(void) { int l = 3; __atomic_store_n(&$fp, &l, __ATOMIC_RELEASE); return __atomic_load_n(&l, __ATOMIC_RELAXED); }" "";
    "frame1" "static long $frame1(void) { int l = 3; __atomic_store_n(&$fp, &l, __ATOMIC_RELEASE); while (!__atomic_load_n(&$go, __ATOMIC_ACQUIRE)) ; return __atomic_load_n(&l, __ATOMIC_RELAXED); }" "";
    "own" "static _Thread_local int $own;" "";
    "sided" "static int $sided;" "";
    "side" "static void *$side(void *a) { __atomic_store_n(&$sided, 1, __ATOMIC_RELAXED); return (void *)((long)a + 1); }" "";
    "sidex" "static void *$sidex(void *a) { __atomic_store_n(&$sided, 2, __ATOMIC_RELAXED); pthread_exit((void *)((long)a + 2)); }" "";
    "side11" "static int $side11(void *a) { __atomic_store_n(&$sided, 3, __ATOMIC_RELAXED); if (a) thrd_exit(4); return 3; }" "";
    "pair0" "static struct pair $pair0;" "";
    "pair1" "static struct pair $pair1 = {1, 2};" "";
    "mixed" "static struct mixed $mixed;" "";
    "bits" "static struct bits $bits;" "";
    "word" "static union word $word;" "";
    "many" "static struct many $many, $many2;" "";
    "many2" "/* $many */" "";
    "passpair" "static struct pair $passpair(struct pair p) { p.a = p.a + p.b; return p; }" "";
    "rc" "static int $rc;" "";
    "rec" "static long $rec(int n) { return n ? __atomic_fetch_add(&$rc, 1, __ATOMIC_RELAXED) + $rec(n - 1) : 0; }" "";
    "up" "static long $up(int n) { return __atomic_add_fetch(&$rc, n, __ATOMIC_RELAXED); }" "";
    "down" "static long $down(int n) { return __atomic_sub_fetch(&$rc, n, __ATOMIC_RELAXED); }" "";
    "table" "static long (*const $table[2])(int) = {$up, $down};" "";
    "chosen" "static long (*$chosen)(int) = $up;" "";
    "sum" "static long $sum(int n, ...) { va_list l; long s = 0; va_start(l, n); while (n--) s += va_arg(l, int); va_end(l); return s; }" "";
    "print" "static int $print(char *b, const char *f, ...) { va_list l; int n; va_start(l, f); n = vsprintf(b, f, l); va_end(l); return n; }" "";
    "printn" "static int $printn(char *b, const char *f, ...) { va_list l; int n; va_start(l, f); n = vsnprintf(b, 8, f, l); va_end(l); return n; }" "";
    "show" "static int $show(const char *f, ...) { va_list l; int n; va_start(l, f); n = vprintf(f, l); va_end(l); return n; }" "";
    "showf" "static int $showf(const char *f, ...) { va_list l; int n; va_start(l, f); n = vfprintf(stderr, f, l); va_end(l); return n; }" "";
    "showd" "static int $showd(const char *f, ...) { va_list l; int n; va_start(l, f); n = vdprintf(1, f, l); va_end(l); return n; }" "";
    "text" "static char $text[8];" "";
    "less" "static int $less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }" "";
    "lock0" "static int $lock0;" "";
    "lock1" "static int $lock1;" "";
    "next0" "static int $next0;" "";
    "next1" "static int $next1;" "";
    "serve0" "static int $serve0;" "";
    "serve1" "static int $serve1;" "";
    "node" "struct $node { struct $node *next; int flag; };" "";
    "tail0" "static struct $node *$tail0;" "";
    "tail1" "static struct $node *$tail1;" "";
    "turns0" "static int $turns0[4] = {1};" "";
    "turns1" "static int $turns1[4] = {1};" "";
    "slot" "static struct $node *$slot;" "";
    "rest" "static long $rest(int v) { struct $node n = {0, v}; __atomic_store_n(&$slot, &n, __ATOMIC_RELEASE); while (__atomic_load_n(&n.flag, __ATOMIC_RELAXED) == v) ; __atomic_store_n(&$slot, (struct $node *)0, __ATOMIC_RELEASE); return __atomic_load_n(&n.flag, __ATOMIC_RELAXED); }" "";
    "pad0" "static int $pad0;" "";
    "pad0p" "static int *$pad0p;" "";
    "pad1" "static int $pad1;" "";
    "pad1p" "static int *$pad1p;" "";
    "pad2" "static int $pad2;" "";
    "pad2p" "static int *$pad2p;" "";
    "pad3" "static int $pad3;" "";
    "pad3p" "static int *$pad3p;" "";
    "pad4" "static int $pad4;" "";
    "pad4p" "static int *$pad4p;" "";
    "flag0" "static atomic_flag $flag0 = ATOMIC_FLAG_INIT;" "";
    "flag1" "static atomic_flag $flag1 = ATOMIC_FLAG_INIT;" "";
}

macro_rules! guards {
    ($($class:literal $open:literal $close:literal;)*) => {
        /// The locks of the library.
        pub const GUARDS: &[GuardRow] = &[$(GuardRow { open: $open, close: $close, class: $class },)*];
    };
}

guards! {
    1 "pthread_mutex_lock(&$m{i}); {" "} pthread_mutex_unlock(&$m{i});";
    1 "pthread_mutex_lock(&$mr{i}); {" "} pthread_mutex_unlock(&$mr{i});";
    1 "pthread_mutex_lock(&$mr{i}); pthread_mutex_lock(&$mr{i}); {" "} pthread_mutex_unlock(&$mr{i}); pthread_mutex_unlock(&$mr{i});";
    1 "pthread_mutex_lock(&$me{i}); {" "} pthread_mutex_unlock(&$me{i});";
    1 "mtx_lock(&$x{i}); {" "} mtx_unlock(&$x{i});";
    2 "pthread_spin_lock(&$p{i}); {" "} pthread_spin_unlock(&$p{i});";
    2 "while (pthread_spin_trylock(&$p{i})) ; {" "} pthread_spin_unlock(&$p{i});";
    3 "pthread_rwlock_wrlock(&$w{i}); {" "} pthread_rwlock_unlock(&$w{i});";
    4 "sem_wait(&$q{i}); {" "} sem_post(&$q{i});";
    0 "pthread_rwlock_rdlock(&$w{i}); {" "} pthread_rwlock_unlock(&$w{i});";
    0 "if (pthread_mutex_trylock(&$m{i}) == 0) {" "pthread_mutex_unlock(&$m{i}); }";
    0 "if (pthread_mutex_trylock(&$me{i}) == 0) {" "pthread_mutex_unlock(&$me{i}); }";
    0 "if (pthread_mutex_timedlock(&$m{i}, &$ts) == 0) {" "pthread_mutex_unlock(&$m{i}); }";
    0 "if (pthread_mutex_clocklock(&$m{i}, 0, &$ts) == 0) {" "pthread_mutex_unlock(&$m{i}); }";
    0 "if (mtx_trylock(&$x{i}) == thrd_success) {" "mtx_unlock(&$x{i}); }";
    0 "if (mtx_timedlock(&$x1, &$ts) == thrd_success) {" "mtx_unlock(&$x1); }";
    0 "if (pthread_spin_trylock(&$p{i}) == 0) {" "pthread_spin_unlock(&$p{i}); }";
    0 "if (pthread_rwlock_tryrdlock(&$w{i}) == 0) {" "pthread_rwlock_unlock(&$w{i}); }";
    0 "if (pthread_rwlock_trywrlock(&$w{i}) == 0) {" "pthread_rwlock_unlock(&$w{i}); }";
    0 "if (pthread_rwlock_timedrdlock(&$w{i}, &$ts) == 0) {" "pthread_rwlock_unlock(&$w{i}); }";
    0 "if (pthread_rwlock_timedwrlock(&$w{i}, &$ts) == 0) {" "pthread_rwlock_unlock(&$w{i}); }";
    0 "if (sem_trywait(&$q{i}) == 0) {" "sem_post(&$q{i}); }";
    0 "if (sem_timedwait(&$q{i}, &$ts) == 0) {" "sem_post(&$q{i}); }";
    0 "while (pthread_mutex_trylock(&$m{i})) ; {" "} pthread_mutex_unlock(&$m{i});";
}

macro_rules! snippets {
    ($($group:literal { $($code:literal $([$($name:literal),*])?;)* })*) => {
        /// The calls.
        pub const SNIPPETS: &[SnippetRow] = &[$($(SnippetRow {
            group: $group, code: $code, names: &[$($($name),*)?],
        },)*)*];
    };
}

snippets! {
    "semaphore" {
        "sem_post(&$s{i});";
        "sem_wait(&$s{i});";
        "{r} = sem_trywait(&$s{i});";
        "{r} = sem_timedwait(&$s{i}, &$ts);";
        "{r} = sem_clockwait(&$s{i}, 0, &$ts);";
        "{ int v = 7; sem_getvalue(&$s{i}, &v); {r} = v; }";
        "if (sem_trywait(&$s{i})) {r} = errno == EAGAIN;";
    }
    "condition" {
        "pthread_mutex_lock(&$m0); if (!$full) pthread_cond_wait(&$v{i}, &$m0); {r} = 4 + $full; pthread_mutex_unlock(&$m0);";
        "pthread_mutex_lock(&$m0); while (!$full) pthread_cond_wait(&$v{i}, &$m0); {r} = 4 + $full; $full = 0; pthread_mutex_unlock(&$m0);";
        "pthread_mutex_lock(&$m0); $full = {k}; @(&$v{i}); pthread_mutex_unlock(&$m0);" ["pthread_cond_signal", "pthread_cond_broadcast"];
        "pthread_mutex_lock(&$m0); $full = {k}; pthread_mutex_unlock(&$m0); @(&$v{i});" ["pthread_cond_signal", "pthread_cond_broadcast"];
        "pthread_mutex_lock(&$m0); $full = $full + 1; @(&$v{i}); pthread_mutex_unlock(&$m0);" ["pthread_cond_signal", "pthread_cond_broadcast"];
        "@(&$v{i});" ["pthread_cond_signal", "pthread_cond_broadcast"];
    }
    "condition11" {
        "mtx_lock(&$x0); if (!$full) cnd_wait(&$y0, &$x0); {r} = 4 + $full; mtx_unlock(&$x0);";
        "mtx_lock(&$x0); while (!$full) cnd_wait(&$y0, &$x0); {r} = 4 + $full; mtx_unlock(&$x0);";
        "mtx_lock(&$x0); $full = {k}; @(&$y0); mtx_unlock(&$x0);" ["cnd_signal", "cnd_broadcast"];
        "@(&$y0);" ["cnd_signal", "cnd_broadcast"];
    }
    "timed wait" {
        "pthread_mutex_lock(&$m0); if (!$full) {r} = @ ? 8 : 16; {r} += $full; pthread_mutex_unlock(&$m0);" ["pthread_cond_timedwait(&$v{i}, &$m0, &$ts)", "pthread_cond_clockwait(&$v{i}, &$m0, 0, &$ts)"];
        "pthread_mutex_lock(&$m0); while (!$full && !@) ; {r} = 4 + $full; pthread_mutex_unlock(&$m0);" ["pthread_cond_timedwait(&$v{i}, &$m0, &$ts)", "pthread_cond_clockwait(&$v{i}, &$m0, 0, &$ts)"];
        "mtx_lock(&$x0); if (!$full) {r} = cnd_timedwait(&$y0, &$x0, &$ts) == thrd_timedout; {r} += 4 * $full; mtx_unlock(&$x0);";
    }
    "barrier" {
        "{r} = pthread_barrier_wait(&$b{i}) == PTHREAD_BARRIER_SERIAL_THREAD;";
        "pthread_barrier_wait(&$b0);";
    }
    "once" {
        "pthread_once(&$o0, $once0); {r} = 4 + $done0;";
        "call_once(&$o1, $once1); {r} = 4 + __atomic_load_n(&$done1, __ATOMIC_RELAXED);";
        "{r} = 4 + __atomic_load_n(&$done{i}, __ATOMIC_RELAXED);";
    }
    "key" {
        "pthread_setspecific($k0, (void *){k}L);";
        "{r} = (long)pthread_getspecific($k0);";
        "tss_set($k1, (void *){k}L); {r} = (long)tss_get($k1);";
        "{r} = (long)tss_get($k1);";
        "{ int *p = malloc(sizeof(int)); *p = {k}; pthread_setspecific($kf, p); __atomic_store_n(&$hp, p, __ATOMIC_RELEASE); }";
        "{r} = __atomic_load_n(&$ended, __ATOMIC_RELAXED);";
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) {r} = *p; }";
    }
    "keys deleted" {
        "pthread_key_delete($k0);";
        "tss_delete($k1);";
        "pthread_key_create(&$k0, 0);";
    }
    "threads" {
        "{ pthread_t h; void *v; pthread_create(&h, 0, @, (void *){k}L); pthread_join(h, &v); {r} = (long)v; }" ["$side", "$sidex"];
        "{ pthread_t h; pthread_create(&h, 0, @, 0); pthread_detach(h); }" ["$side", "$sidex"];
        "{ pthread_t h; pthread_create(&h, 0, @, 0); {r} = pthread_tryjoin_np(h, 0); if ({r}) pthread_join(h, 0); }" ["$side", "$sidex"];
        "{ pthread_t h; struct timespec s = {0, 0}; pthread_create(&h, 0, $side, 0); {r} = pthread_timedjoin_np(h, 0, &s); if ({r}) pthread_join(h, 0); }";
        "{ pthread_t h; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); pthread_create(&h, &a, $side, 0); pthread_attr_destroy(&a); }";
        "{ pthread_t h; pthread_attr_t a; pthread_attr_init(&a); @; pthread_create(&h, &a, $side, 0); pthread_join(h, 0); }" ["pthread_attr_setstacksize(&a, 65536)", "pthread_attr_setguardsize(&a, 4096)", "pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM)", "pthread_attr_setinheritsched(&a, PTHREAD_INHERIT_SCHED)"];
        "{ thrd_t h; int v; thrd_create(&h, $side11, (void *)(long)({k} & 1)); thrd_join(h, &v); {r} = v; }";
        "{ thrd_t h; thrd_create(&h, $side11, 0); thrd_detach(h); }";
        "{r} = pthread_equal(pthread_self(), pthread_self());";
        "{r} = thrd_equal(thrd_current(), thrd_current());";
        "pthread_setname_np(pthread_self(), \"name\");";
        "{r} = __atomic_load_n(&$sided, __ATOMIC_RELAXED);";
        "{ pthread_condattr_t a; pthread_condattr_init(&a); pthread_condattr_setclock(&a, CLOCK_MONOTONIC); pthread_condattr_setpshared(&a, 0); pthread_condattr_destroy(&a); }";
        "{ pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setpshared(&a, 0); pthread_rwlockattr_destroy(&a); }";
        "{ pthread_barrierattr_t a; pthread_barrierattr_init(&a); pthread_barrierattr_setpshared(&a, 0); pthread_barrierattr_destroy(&a); }";
        "{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a, 0); pthread_mutexattr_setrobust(&a, 0); pthread_mutexattr_destroy(&a); }";
    }
    "thread end" {
        "@;" ["pthread_exit(0)", "pthread_exit((void *)1L)"];
        "if ({r} == {k}) pthread_exit(0);";
        "pthread_detach(pthread_self());";
        "thrd_exit(1);";
    }
    "program end" {
        "@;" ["exit(0)", "_exit(0)", "_Exit(1)", "quick_exit(0)"];
        "if ({r} == {k}) @;" ["abort()", "exit(0)", "reach_error()", "__VERIFIER_error()"];
    }
    "heap" {
        "{ int *p = malloc(sizeof(int)); *p = {k}; __atomic_store_n(&$hp, p, @); }" ["__ATOMIC_RELEASE", "__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST"];
        "{ int *p = @; *p = {k}; __atomic_store_n(&$hp, p, __ATOMIC_RELEASE); }" ["calloc(1, sizeof(int))", "aligned_alloc(16, 16)", "memalign(16, 16)", "realloc(0, sizeof(int))"];
        "{ void *p; if (posix_memalign(&p, 16, 16) == 0) { *(int *)p = {k}; __atomic_store_n(&$hp, (int *)p, __ATOMIC_RELEASE); } }";
        "{ int *p = __atomic_load_n(&$hp, @); if (p) {r} = *p; }" ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"];
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) {r} = __atomic_load_n(p, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_load_n(&$hp, @); if (p) *p = {k}; }" ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"];
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) __atomic_store_n(p, {k}, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) {r} = __atomic_fetch_add(p, {k}, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_exchange_n(&$hp, (int *)0, @); if (p) { {r} = *p; free(p); } }" ["__ATOMIC_ACQ_REL", "__ATOMIC_RELAXED"];
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) free(p); }";
        "{ int *p = __atomic_exchange_n(&$hp, (int *)0, __ATOMIC_ACQ_REL); if (p) __atomic_store_n(&$hp, (int *)realloc(p, 8), __ATOMIC_RELEASE); }";
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) __atomic_store_n(&$hp, (int *)realloc(p, 8), __ATOMIC_RELEASE); }";
        "{ int *p = __atomic_load_n(&$hp, __ATOMIC_ACQUIRE); if (p) {r} = malloc_usable_size(p) >= sizeof(int); }";
        "{r} = __atomic_load_n($hq, __ATOMIC_RELAXED);";
        "__atomic_store_n($hq, {k}, __ATOMIC_RELAXED);";
        "{r} = *$hq;";
        "free($hq);";
        "{ int *p = malloc(sizeof(int)); *p = {k}; {r} = __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST); free(p); }";
    }
    "node" {
        "{ struct $node *n = malloc(sizeof *n); n->next = 0; __atomic_store_n(&n->flag, {k}, __ATOMIC_RELAXED); __atomic_store_n(&$slot, n, @); }" ["__ATOMIC_RELEASE", "__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST"];
        "{ struct $node *n = calloc(1, sizeof *n); n->flag = 1; __atomic_store_n(&$slot, n, __ATOMIC_RELEASE); __atomic_store_n(&n->flag, {i}, @); }" ["__ATOMIC_RELEASE", "__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST"];
        "{ struct $node *n = malloc(sizeof *n); n->flag = 1; __atomic_store_n(&$slot, n, __ATOMIC_RELEASE); __atomic_store_n(&n->flag, 2, @); __atomic_store_n(&n->flag, 1, @); }" ["__ATOMIC_RELEASE", "__ATOMIC_RELAXED"];
        "{ struct $node *n = malloc(sizeof *n), *o; n->flag = {i}; o = n->next = __atomic_exchange_n(&$slot, n, @); if (o) { while (__atomic_load_n(&o->flag, __ATOMIC_ACQUIRE)) ; {r} = {k}; } }" ["__ATOMIC_ACQ_REL", "__ATOMIC_RELAXED"];
        "{ struct $node *n = __atomic_load_n(&$slot, @); if (n) { while (__atomic_load_n(&n->flag, __ATOMIC_ACQUIRE)) ; {r} = {k}; } }" ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"];
        "{ struct $node *n = __atomic_load_n(&$slot, @); if (n) { while (__atomic_load_n(&n->flag, __ATOMIC_RELAXED) != {k}) ; {r} = {k}; } }" ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"];
        "{ struct $node *n; while (!(n = __atomic_load_n(&$slot, __ATOMIC_ACQUIRE))) ; {r} = __atomic_load_n(&n->flag, __ATOMIC_RELAXED); }";
        "{ struct $node *n; while (!(n = __atomic_load_n(&$slot, __ATOMIC_ACQUIRE)) || __atomic_load_n(&n->flag, @) == 1) ; {r} = 2; }" ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"];
        "{ struct $node *n = __atomic_load_n(&$slot, __ATOMIC_ACQUIRE); if (n) __atomic_store_n(&n->flag, {k} - 1, @); }" ["__ATOMIC_RELEASE", "__ATOMIC_RELAXED"];
        "{ struct $node *n = __atomic_load_n(&$slot, __ATOMIC_ACQUIRE); if (n) {r} = __atomic_exchange_n(&n->flag, {i}, @); }" ["__ATOMIC_ACQ_REL", "__ATOMIC_RELAXED"];
        "{ struct $node *n = __atomic_load_n(&$slot, __ATOMIC_ACQUIRE); if (n && (n = n->next)) {r} = __atomic_load_n(&n->flag, __ATOMIC_RELAXED); }";
        "{ struct $node *n = __atomic_exchange_n(&$slot, (struct $node *)0, __ATOMIC_ACQ_REL); if (n) free(n); }";
        "{r} = $rest({k});";
    }
    "frame" {
        "{r} = $frame0();";
        "{r} = $frame1();";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) {r} = __atomic_load_n(p, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) __atomic_store_n(p, {k}, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) *p = {k}; }";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) { __atomic_store_n(&$go, 1, __ATOMIC_RELEASE); {r} = __atomic_load_n(p, __ATOMIC_RELAXED); } }";
        "__atomic_store_n(&$go, 1, __ATOMIC_RELEASE);";
        "__atomic_store_n(&$fp, (int *)0, __ATOMIC_RELEASE);";
    }
    "storage" {
        "$own = {k}; __atomic_store_n(&$fp, &$own, __ATOMIC_RELEASE);";
        "{r} = $own;";
        "$own = $own + {k};";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) {r} = __atomic_load_n(p, __ATOMIC_RELAXED); }";
        "{ int *p = __atomic_load_n(&$fp, __ATOMIC_ACQUIRE); if (p) __atomic_store_n(p, {k}, __ATOMIC_RELAXED); }";
        "__atomic_store_n(&$fp, (int *)0, __ATOMIC_RELEASE);";
    }
    "destroy" {
        "pthread_mutex_destroy(&$m{i});";
        "pthread_spin_destroy(&$p{i});";
        "pthread_rwlock_destroy(&$w{i});";
        "pthread_cond_destroy(&$v{i});";
        "pthread_barrier_destroy(&$b{i});";
        "sem_destroy(&$s{i});";
        "mtx_destroy(&$x{i});";
        "cnd_destroy(&$y0);";
        "pthread_mutex_init(&$m{i}, 0);";
        "sem_init(&$s{i}, 0, {k});";
        "pthread_barrier_init(&$b{i}, 0, 2);";
        "pthread_spin_init(&$p{i}, 0);";
        "pthread_rwlock_init(&$w{i}, 0);";
        "pthread_cond_init(&$v{i}, 0);";
    }
    "locks" {
        "{r} = pthread_mutex_trylock(&$m{i});";
        "{r} = pthread_mutex_unlock(&$me{i});";
        "pthread_mutex_unlock(&$m{i});";
        "pthread_mutex_lock(&$m{i});";
        "{r} = pthread_rwlock_tryrdlock(&$w{i});";
        "{r} = pthread_spin_trylock(&$p{i});";
        "{r} = mtx_trylock(&$x{i}) == thrd_busy;";
        "pthread_spin_unlock(&$p{i});";
    }
    "choose" {
        "{r} = fp_choose({k} + 1);";
        "{r} = fp_argument(\"a{i}{t}\", 2);";
        "fp_result(\"b{i}{t}\", {r});";
        "fp_retry();";
        "fp_replicate(0);";
        "{r} = @();" ["__VERIFIER_nondet_bool", "__VERIFIER_nondet__Bool"];
        "__VERIFIER_atomic_begin(); {c} = {c} + {k}; __VERIFIER_atomic_end();";
        "__VERIFIER_assume({r} != {k});";
    }
    "values" {
        "{r} = @() & 3;" ["__VERIFIER_nondet_int", "__VERIFIER_nondet_uint", "__VERIFIER_nondet_char", "__VERIFIER_nondet_uchar", "__VERIFIER_nondet_short", "__VERIFIER_nondet_ushort", "__VERIFIER_nondet_long", "__VERIFIER_nondet_ulong", "__VERIFIER_nondet_size_t", "__VERIFIER_nondet_unsigned_int"];
    }
    "copy" {
        "$pair0 = $pair1;";
        "$pair1 = $pair0;";
        "$pair0 = $passpair($pair1);";
        "@(&$pair0, &$pair1, sizeof(struct pair));" ["memcpy", "memmove"];
        "memset(&$pair{i}, {k}, sizeof(struct pair));";
        "__atomic_store_n(&$pair{i}.a, {k}, __ATOMIC_RELAXED);";
        "__atomic_store_n(&$pair{i}.b, {k}, __ATOMIC_RELEASE);";
        "{r} = __atomic_load_n(&$pair{i}.b, __ATOMIC_RELAXED) * 8 + __atomic_load_n(&$pair{i}.a, __ATOMIC_RELAXED);";
        "{ struct pair p = $pair{i}; {r} = p.a * 8 + p.b; }";
        "memmove(&$many2.n[1], &$many2.n[0], 40);";
        "memset(&$many, {k}, 20); {r} = $many.n[3];";
    }
    "whole" {
        "{r} = memcmp(&$pair0, &$pair1, sizeof(struct pair)) == 0;";
        "{r} = bcmp(&$pair0, &$pair1, sizeof(struct pair)) != 0;";
        "memcpy(&$many, &$many2, sizeof(struct many));";
    }
    "mixed" {
        "$mixed.c = {k};";
        "$mixed.s = {k};";
        "$mixed.l = {k};";
        "$mixed.p = &$mixed.c;";
        "{r} = $mixed.c + 8 * $mixed.s + 64 * $mixed.l;";
        "{ struct mixed m = $mixed; {r} = m.c + 8 * m.s + 64 * m.l; }";
        "$bits.a = {k};";
        "$bits.b = {k};";
        "{r} = $bits.a + 16 * $bits.b;";
        "__atomic_store_n(&$word.w, {k} * 257, __ATOMIC_RELAXED);";
        "__atomic_store_n(&$word.h[{i}], {k}, __ATOMIC_RELAXED);";
        "__atomic_store_n(&$word.b[{k}], {k}, __ATOMIC_RELAXED);";
        "{r} = __atomic_load_n(&$word.w, __ATOMIC_RELAXED);";
        "{r} = __atomic_load_n(&$word.h[{i}], __ATOMIC_RELAXED);";
        "{r} = __atomic_load_n(&$word.b[{k}], __ATOMIC_RELAXED);";
        "$mixed.f = {k} + 0.5; {r} = (long)($mixed.f * 2);";
        "{r} = __atomic_fetch_add(&$word.h[{i}], {k}, __ATOMIC_RELAXED);";
        "$mixed.t = {k} > 1; {r} = $mixed.t;";
    }
    "call" {
        "{r} = $rec({k});";
        "{r} = $table[{i}]({k});";
        "{r} = $chosen({k});";
        "$chosen = $down;";
        "{r} = $sum(2, {k}, (int){r});";
        "{ int a[{k} + 1]; a[{k}] = {k}; {r} = a[{k}] + sizeof a; }";
        "switch ({r}) { case 0: {r} = __atomic_load_n(&$rc, __ATOMIC_RELAXED); break; case 1: __atomic_store_n(&$rc, {k}, __ATOMIC_RELAXED); default: {r}++; }";
        "{r} = ({r} ? $up : $down)({k});";
        "{r} = __atomic_load_n(&$rc, __ATOMIC_RELAXED) / {k} % 3;";
        "__sync_fetch_and_add(&$rc, {k});";
        "{r} = __sync_val_compare_and_swap(&$rc, 0, {k});";
        "{r} = __sync_bool_compare_and_swap(&$rc, {k}, 0);";
        "{r} = __sync_lock_test_and_set(&$rc, {k});";
        "__sync_lock_release(&$rc);";
        "*(volatile int *)&$rc = {k};";
        "{r} = *(volatile int *)&$rc;";
        "{ int e = {r}; {r} = e; __asm__ __volatile__(\"lock; addl %1, %0\" : \"+m\"($rc) : \"r\"({k}) : \"memory\"); }";
        "{ int e = {k}; __asm__ __volatile__(\"xchgl %0, %1\" : \"+r\"(e), \"+m\"($rc) : : \"memory\"); {r} = e; }";
    }
    "string" {
        "strcpy($text, \"ab\");";
        "strncpy($text, \"abc\", {k});";
        "strcat($text, \"c\"); $text[3] = 0;";
        "strncat($text, \"cd\", 1); $text[3] = 0;";
        "{r} = stpcpy($text, \"xyz\") - $text;";
        "{r} = strlen($text);";
        "{r} = strnlen($text, {k});";
        "{r} = strcmp($text, \"ab\") > 0;";
        "{r} = $text[0] == 'a';";
        "__atomic_store_n(&$text[1], 0, __ATOMIC_RELAXED);";
        "{r} = memchr($text, 'b', 8) != 0;";
        "{ char *p = strdup($text); {r} = p[0]; free(p); }";
        "sprintf($text, \"%d\", {k});";
        "{r} = snprintf($text, 8, \"%d\", {k} * 10);";
        "{r} = atoi($text);";
    }
    "pure" {
        "{r} = strncmp(\"abc\", \"abd\", {k}) == 0;";
        "{r} = strcoll(\"a\", \"b\") < 0;";
        "{r} = strcasecmp(\"aB\", \"Ab\") == 0;";
        "{r} = strncasecmp(\"aB\", \"Ac\", {k}) == 0;";
        "{r} = *strchr(\"abc\", 'b') + (index(\"abc\", 'z') == 0);";
        "{ char *s = \"abab\"; {r} = strrchr(s, 'a') - s + (rindex(s, 'b') - s); }";
        "{ char *s = \"abcabc\"; {r} = strstr(s, \"ca\") - s; }";
        "{r} = strspn(\"aab\", \"a\") * 4 + strcspn(\"aab\", \"b\");";
        "{ char *s = \"abc\"; {r} = strpbrk(s, \"cb\") - s; }";
        "{ char s[] = \"a b\"; {r} = strtok(s, \" \")[0] + strtok(0, \" \")[0]; }";
        "{ char s[] = \"a b\"; char *l; {r} = strtok_r(s, \" \", &l)[0] + strtok_r(0, \" \", &l)[0]; }";
        "{ char *p = strndup(\"abc\", {k}); {r} = strlen(p); free(p); }";
        "{ const char s[] = \"abca\"; {r} = (char *)memrchr(s, 'a', 4) - s; }";
        "{r} = atol(\"12\") + atoll(\"3\") + (long)atof(\"2.5\");";
        "{ char *e; {r} = strtol(\"-12x\", &e, 10) + *e; }";
        "{ char *e; {r} = strtoul(\"1f\", &e, 16) + strtoll(\"7\", 0, 0) + strtoull(\"8\", 0, 0) + strtoimax(\"1\", 0, 10) + strtoumax(\"2\", 0, 10); }";
        "{r} = (long)(strtod(\"1.5\", 0) * 4);";
        "{r} = @('a' + {k}) != 0;" ["isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint", "isgraph", "iscntrl", "isxdigit", "isblank"];
        "{r} = (@)('0' + {k}) != 0;" ["isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint", "isgraph", "iscntrl", "isxdigit", "isblank"];
        "{r} = (toupper)('a') + (tolower)('B') + toupper('c') + tolower('D');";
        "{r} = (*__ctype_tolower_loc())['A'] + (*__ctype_toupper_loc())['b'];";
        "{ int a[3] = {3, {k}, 2}; qsort(a, 3, sizeof(int), $less); int key = 3; int *p = bsearch(&key, a, 3, sizeof(int), $less); {r} = p - a; }";
        "{ char b[8]; {r} = $print(b, \"%d\", {k}) + b[0]; }";
        "{ char b[8]; {r} = $printn(b, \"%s\", \"abc\") + b[1]; }";
        "{r} = abs(-{k}) + labs(-{k}L) + llabs(-{k}LL);";
        "{ div_t d = div(7, {k} + 1); ldiv_t l = ldiv(7, {k} + 1); lldiv_t m = lldiv(7, {k} + 1); {r} = d.quot + l.rem + m.quot; }";
        "{r} = (long)(pow(2, {k}) + exp(0) + log(1) + sin(0) + cos(0));";
        "{r} = (long)(sqrt(4.0 * {k} * {k}) + fabs(-1.0) + floor(1.5));";
    }
    "output" {
        "printf(\"%d\\n\", (int){r});";
        "{r} = printf(\"%d\", {k} * 10);";
        "{ int n; printf(\"%d%n\", {k}, &n); {r} = n; }";
        "fprintf(stderr, \"%s %d\\n\", \"x\", {k});";
        "dprintf(2, \"%d\\n\", {k});";
        "puts(\"x\");";
        "putchar('x'); putchar_unlocked('y');";
        "putc('x', stdout); fputc('y', stderr);";
        "fputs(\"x\", stdout);";
        "fwrite(\"xy\", 1, 2, stdout);";
        "fflush(stdout); fflush(0);";
        "perror(\"x\");";
        "$show(\"%d\", {k}); $showf(\"%d\", {k}); $showd(\"%d\", {k});";
    }
    "time" {
        "@();" ["sched_yield", "thrd_yield", "pthread_yield"];
        "usleep(0); sleep(0);";
        "{ struct timespec t = {0, 0}; nanosleep(&t, 0); thrd_sleep(&t, 0); }";
        "errno = {k}; {r} = errno;";
    }
    "fixed" {
        "{r} = time(0);";
        "{r} = clock();";
        "{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); {r} = t.tv_sec; timespec_get(&t, TIME_UTC); struct timeval v; gettimeofday(&v, 0); {r} += v.tv_sec; }";
        "srand({k}); srandom({k}); {r} = rand() == random();";
        "{ unsigned s = {k}; {r} = rand_r(&s) & 3; }";
        "{r} = getenv(\"FENCEPOST_NO_SUCH\") == 0;";
        "{r} = getpid();";
    }
}

/// What every program begins with.
pub const HEAD: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <fencepost.h>
extern void reach_error(void), __VERIFIER_error(void), __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void), __VERIFIER_nondet__Bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void), __VERIFIER_nondet_unsigned_int(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void), __VERIFIER_nondet_size_t(void);
struct pair { int a, b; };
struct mixed { char c; short s; long l; char *p; double f; _Bool t; };
struct bits { unsigned a : 3, b : 5; };
union word { int w; short h[2]; char b[4]; };
struct many { int n[20]; };
"#;
