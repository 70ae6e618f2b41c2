/*
 * A small base library in one file: memory, containers, text, numbers, codes and threads,
 * each part with a test of its own.
 *
 *     cc -std=c11 -Wall -Wextra -pthread library.c && ./a.out
 *
 * Every test prints one line with a checksum of what it saw. Nothing depends on addresses,
 * time or the order in which threads run, so the output is always the same.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ */
/* Checks and checksums                                                                  */
/* ------------------------------------------------------------------------------------ */

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static int checks_done;

static void check_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
    abort();
}

/* Counts, so that a test which checks nothing is seen in the output. Sequential part only. */
#define CHECK(condition)                                      \
    do {                                                      \
        checks_done++;                                        \
        if (!(condition))                                     \
            check_failed(#condition, "library.c", __LINE__);  \
    } while (0)

/* Folds values into one number; FNV-1a over their bytes. */
struct digest {
    uint64_t state;
    unsigned count;
};

static void digest_init(struct digest *digest)
{
    digest->state = 0xcbf29ce484222325u;
    digest->count = 0;
}

static void digest_byte(struct digest *digest, uint8_t byte)
{
    digest->state ^= byte;
    digest->state *= 0x100000001b3u;
}

static void digest_u64(struct digest *digest, uint64_t value)
{
    for (int shift = 0; shift < 64; shift += 8)
        digest_byte(digest, (uint8_t)(value >> shift));
    digest->count++;
}

static void digest_int(struct digest *digest, int value)
{
    digest_u64(digest, (uint64_t)(int64_t)value);
}

static void digest_bytes(struct digest *digest, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++)
        digest_byte(digest, byte[i]);
    digest->count++;
}

static void digest_text(struct digest *digest, const char *text)
{
    digest_bytes(digest, text, strlen(text));
}

static void digest_report(const struct digest *digest, const char *test)
{
    printf("%-18s %4u values, checksum %016llx\n", test, digest->count,
           (unsigned long long)digest->state);
}

/* ------------------------------------------------------------------------------------ */
/* Pseudo-random numbers: xorshift, the same everywhere                                  */
/* ------------------------------------------------------------------------------------ */

struct random {
    uint64_t state;
};

static void random_seed(struct random *random, uint64_t seed)
{
    random->state = seed * 0x9e3779b97f4a7c15u + 1;
}

static uint32_t random_next(struct random *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * 0x2545f4914f6cdd1du) >> 32);
}

static uint32_t random_below(struct random *random, uint32_t limit)
{
    return (uint32_t)(((uint64_t)random_next(random) * limit) >> 32);
}

static void test_random(void)
{
    struct digest digest;
    struct random random;
    unsigned buckets[8] = {0};
    digest_init(&digest);
    random_seed(&random, 1);
    for (int i = 0; i < 400; i++) {
        uint32_t value = random_below(&random, 8);
        CHECK(value < 8);
        buckets[value]++;
    }
    for (int i = 0; i < 8; i++) {
        CHECK(buckets[i] > 20);
        digest_u64(&digest, buckets[i]);
    }
    digest_report(&digest, "random");
}

/* ------------------------------------------------------------------------------------ */
/* Arena: many allocations, one release                                                  */
/* ------------------------------------------------------------------------------------ */

#define ARENA_BLOCK 2048

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    max_align_t data[];
};

struct arena {
    struct arena_block *blocks;
    size_t total;
};

static void arena_init(struct arena *arena)
{
    arena->blocks = NULL;
    arena->total = 0;
}

static struct arena_block *arena_grow(struct arena *arena, size_t size)
{
    size_t capacity = size > ARENA_BLOCK ? size : ARENA_BLOCK;
    struct arena_block *block = malloc(sizeof *block + capacity);
    if (!block)
        abort();
    block->used = 0;
    block->size = capacity;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

static void *arena_alloc(struct arena *arena, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    struct arena_block *block = arena->blocks;
    if (!block || block->size - block->used < rounded)
        block = arena_grow(arena, rounded);
    void *result = (char *)block->data + block->used;
    block->used += rounded;
    arena->total += rounded;
    return result;
}

static char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static unsigned arena_block_count(const struct arena *arena)
{
    unsigned count = 0;
    for (const struct arena_block *block = arena->blocks; block; block = block->next)
        count++;
    return count;
}

static void arena_release(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena_init(arena);
}

static void test_arena(void)
{
    struct digest digest;
    struct arena arena;
    char *texts[40];
    digest_init(&digest);
    arena_init(&arena);
    for (int i = 0; i < 40; i++) {
        char buffer[32];
        int length = snprintf(buffer, sizeof buffer, "text number %d", i * i);
        texts[i] = arena_text(&arena, buffer, (size_t)length);
    }
    int *big = arena_alloc(&arena, 1000 * sizeof *big);
    for (int i = 0; i < 1000; i++)
        big[i] = i;
    CHECK((uintptr_t)big % 16 == 0);
    CHECK(big[999] == 999);
    for (int i = 0; i < 40; i++)
        digest_text(&digest, texts[i]);
    digest_u64(&digest, arena.total);
    digest_u64(&digest, arena_block_count(&arena));
    arena_release(&arena);
    CHECK(arena.blocks == NULL);
    digest_report(&digest, "arena");
}

/* ------------------------------------------------------------------------------------ */
/* Free-list allocator in a fixed area, first fit, with coalescing                       */
/* ------------------------------------------------------------------------------------ */

#define POOL_SIZE 8192
#define POOL_ALIGN 16

/* In front of every block, free or not. Sizes include the header. */
struct pool_header {
    size_t size;
    bool is_free;
    struct pool_header *previous;
};

#define POOL_HEADER ((sizeof(struct pool_header) + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN)

struct pool {
    _Alignas(POOL_ALIGN) unsigned char area[POOL_SIZE];
    size_t in_use;
};

static struct pool_header *pool_first(struct pool *pool)
{
    return (struct pool_header *)pool->area;
}

static struct pool_header *pool_next(struct pool *pool, struct pool_header *header)
{
    unsigned char *next = (unsigned char *)header + header->size;
    return next < pool->area + POOL_SIZE ? (struct pool_header *)next : NULL;
}

static void pool_init(struct pool *pool)
{
    struct pool_header *first = pool_first(pool);
    first->size = POOL_SIZE;
    first->is_free = true;
    first->previous = NULL;
    pool->in_use = 0;
}

static void pool_split(struct pool *pool, struct pool_header *header, size_t size)
{
    if (header->size - size < POOL_HEADER + POOL_ALIGN)
        return;
    struct pool_header *after = pool_next(pool, header);
    struct pool_header *rest = (struct pool_header *)((unsigned char *)header + size);
    rest->size = header->size - size;
    rest->is_free = true;
    rest->previous = header;
    header->size = size;
    if (after)
        after->previous = rest;
}

static void *pool_alloc(struct pool *pool, size_t size)
{
    size_t needed = POOL_HEADER + (size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    struct pool_header *header = pool_first(pool);
    for (; header; header = pool_next(pool, header)) {
        if (!header->is_free || header->size < needed)
            continue;
        pool_split(pool, header, needed);
        header->is_free = false;
        pool->in_use += header->size;
        return (unsigned char *)header + POOL_HEADER;
    }
    return NULL;
}

/* The second block must be the neighbour behind the first. */
static void pool_merge(struct pool *pool, struct pool_header *first, struct pool_header *second)
{
    first->size += second->size;
    struct pool_header *after = pool_next(pool, first);
    if (after)
        after->previous = first;
}

static void pool_free(struct pool *pool, void *memory)
{
    struct pool_header *header = (struct pool_header *)((unsigned char *)memory - POOL_HEADER);
    CHECK(!header->is_free);
    header->is_free = true;
    pool->in_use -= header->size;
    struct pool_header *next = pool_next(pool, header);
    if (next && next->is_free)
        pool_merge(pool, header, next);
    if (header->previous && header->previous->is_free)
        pool_merge(pool, header->previous, header);
}

static unsigned pool_blocks(struct pool *pool, bool is_free)
{
    unsigned count = 0;
    struct pool_header *previous = NULL;
    for (struct pool_header *header = pool_first(pool); header; header = pool_next(pool, header)) {
        CHECK(header->previous == previous);
        CHECK(!(previous && previous->is_free && header->is_free));
        previous = header;
        count += header->is_free == is_free;
    }
    return count;
}

static void test_pool(void)
{
    static struct pool pool;
    struct digest digest;
    struct random random;
    struct {
        unsigned char *memory;
        size_t size;
        unsigned char fill;
    } slots[24] = {{0}};
    digest_init(&digest);
    random_seed(&random, 2);
    pool_init(&pool);
    for (int step = 0; step < 200; step++) {
        unsigned slot = random_below(&random, ARRAY_LENGTH(slots));
        if (slots[slot].memory) {
            for (size_t i = 0; i < slots[slot].size; i++)
                CHECK(slots[slot].memory[i] == slots[slot].fill);
            pool_free(&pool, slots[slot].memory);
            slots[slot].memory = NULL;
            continue;
        }
        size_t size = 8 + random_below(&random, 120);
        slots[slot].memory = pool_alloc(&pool, size);
        slots[slot].size = size;
        slots[slot].fill = (unsigned char)step;
        if (slots[slot].memory)
            memset(slots[slot].memory, step, size);
        if (step % 20 == 0) {
            digest_u64(&digest, pool.in_use);
            digest_u64(&digest, pool_blocks(&pool, true));
            digest_u64(&digest, pool_blocks(&pool, false));
        }
    }
    CHECK(pool_alloc(&pool, POOL_SIZE) == NULL);
    for (unsigned slot = 0; slot < ARRAY_LENGTH(slots); slot++)
        if (slots[slot].memory)
            pool_free(&pool, slots[slot].memory);
    CHECK(pool.in_use == 0);
    CHECK(pool_blocks(&pool, true) == 1);
    digest_report(&digest, "pool");
}

/* ------------------------------------------------------------------------------------ */
/* Dynamic arrays of any element type, by macro                                          */
/* ------------------------------------------------------------------------------------ */

#define VECTOR(name, type)                                                             \
    struct name {                                                                      \
        type *items;                                                                   \
        size_t count;                                                                  \
        size_t capacity;                                                               \
    };                                                                                 \
    static void name##_init(struct name *vector)                                       \
    {                                                                                  \
        memset(vector, 0, sizeof *vector);                                             \
    }                                                                                  \
    static void name##_push(struct name *vector, type item)                            \
    {                                                                                  \
        if (vector->count == vector->capacity) {                                       \
            vector->capacity = vector->capacity ? 2 * vector->capacity : 4;            \
            vector->items = realloc(vector->items, vector->capacity * sizeof(type));   \
            if (!vector->items)                                                        \
                abort();                                                               \
        }                                                                              \
        vector->items[vector->count++] = item;                                         \
    }                                                                                  \
    static type name##_pop(struct name *vector)                                        \
    {                                                                                  \
        CHECK(vector->count > 0);                                                      \
        return vector->items[--vector->count];                                         \
    }                                                                                  \
    static void name##_free(struct name *vector)                                       \
    {                                                                                  \
        free(vector->items);                                                           \
        name##_init(vector);                                                           \
    }

struct point {
    short x, y;
    double weight;
};

VECTOR(int_vector, int)
VECTOR(point_vector, struct point)
VECTOR(double_vector, double)

static void int_vector_insert(struct int_vector *vector, size_t at, int item)
{
    int_vector_push(vector, item);
    memmove(&vector->items[at + 1], &vector->items[at], (vector->count - 1 - at) * sizeof(int));
    vector->items[at] = item;
}

static int int_vector_remove(struct int_vector *vector, size_t at)
{
    int item = vector->items[at];
    vector->count--;
    memmove(&vector->items[at], &vector->items[at + 1], (vector->count - at) * sizeof(int));
    return item;
}

static void test_vector(void)
{
    struct digest digest;
    struct int_vector numbers;
    struct point_vector points;
    digest_init(&digest);
    int_vector_init(&numbers);
    point_vector_init(&points);
    for (int i = 0; i < 50; i++)
        int_vector_insert(&numbers, (size_t)(i / 2), i);
    for (int i = 0; i < 10; i++)
        digest_int(&digest, int_vector_remove(&numbers, (size_t)(3 * i)));
    while (numbers.count > 30)
        digest_int(&digest, int_vector_pop(&numbers));
    for (size_t i = 0; i < numbers.count; i++)
        digest_int(&digest, numbers.items[i]);
    for (short i = 0; i < 20; i++) {
        struct point point = {i, (short)-i, i / 4.0};
        point_vector_push(&points, point);
    }
    double sum = 0;
    while (points.count) {
        struct point point = point_vector_pop(&points);
        CHECK(point.x == -point.y);
        sum += point.weight * point.x;
    }
    CHECK(sum == 617.5);
    int_vector_free(&numbers);
    point_vector_free(&points);
    digest_report(&digest, "vector");
}

/* ------------------------------------------------------------------------------------ */
/* Strings that grow                                                                     */
/* ------------------------------------------------------------------------------------ */

struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

static void text_init(struct text *text)
{
    text->bytes = NULL;
    text->length = text->capacity = 0;
}

static void text_reserve(struct text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    while (text->capacity < needed)
        text->capacity = text->capacity ? 2 * text->capacity : 16;
    text->bytes = realloc(text->bytes, text->capacity);
    if (!text->bytes)
        abort();
}

static void text_append(struct text *text, const char *bytes, size_t length)
{
    text_reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void text_add(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

static void text_add_char(struct text *text, char character)
{
    text_append(text, &character, 1);
}

static void text_format(struct text *text, const char *format, ...)
{
    char buffer[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    CHECK(length >= 0 && (size_t)length < sizeof buffer);
    text_append(text, buffer, (size_t)length);
}

static void text_free(struct text *text)
{
    free(text->bytes);
    text_init(text);
}

static bool text_starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void text_reverse(struct text *text)
{
    for (size_t i = 0, j = text->length; i + 1 < j; i++) {
        j--;
        char swap = text->bytes[i];
        text->bytes[i] = text->bytes[j];
        text->bytes[j] = swap;
    }
}

static size_t text_replace(struct text *text, const char *from, const char *to)
{
    struct text result;
    size_t count = 0;
    text_init(&result);
    text_add(&result, "");
    for (const char *at = text->bytes; *at;) {
        if (text_starts(at, from)) {
            text_add(&result, to);
            at += strlen(from);
            count++;
        } else {
            text_add_char(&result, *at++);
        }
    }
    text_free(text);
    *text = result;
    return count;
}

static void test_text(void)
{
    struct digest digest;
    struct text text;
    digest_init(&digest);
    text_init(&text);
    for (int i = 0; i < 12; i++)
        text_format(&text, "%d%s", i, i % 2 ? ", " : "; ");
    text_format(&text, "%5.2f|%-6s|%06x|%c|%+d", 3.14159, "ab", 48879u, 'z', 7);
    digest_text(&digest, text.bytes);
    CHECK(strstr(text.bytes, " 3.14|ab    |00beef|z|+7") != NULL);
    CHECK(text_replace(&text, "; ", " and ") == 6);
    digest_text(&digest, text.bytes);
    text_reverse(&text);
    CHECK(text_starts(text.bytes, "7+|z|feeb00|"));
    digest_text(&digest, text.bytes);
    text_free(&text);
    digest_report(&digest, "text");
}

/* ------------------------------------------------------------------------------------ */
/* Ropes: text as a tree, shared by counting references                                  */
/* ------------------------------------------------------------------------------------ */

enum rope_kind { ROPE_LEAF, ROPE_JOIN };

struct rope {
    enum rope_kind kind;
    int references;
    size_t length;
    union {
        char *leaf;
        struct {
            struct rope *left, *right;
        } join;
    } as;
};

static int ropes_alive;

static struct rope *rope_new(enum rope_kind kind, size_t length)
{
    struct rope *rope = malloc(sizeof *rope);
    if (!rope)
        abort();
    rope->kind = kind;
    rope->references = 1;
    rope->length = length;
    ropes_alive++;
    return rope;
}

static struct rope *rope_leaf(const char *bytes, size_t length)
{
    struct rope *rope = rope_new(ROPE_LEAF, length);
    rope->as.leaf = malloc(length + 1);
    memcpy(rope->as.leaf, bytes, length);
    rope->as.leaf[length] = '\0';
    return rope;
}

static struct rope *rope_share(struct rope *rope)
{
    rope->references++;
    return rope;
}

/* Takes over both references. */
static struct rope *rope_join(struct rope *left, struct rope *right)
{
    struct rope *rope = rope_new(ROPE_JOIN, left->length + right->length);
    rope->as.join.left = left;
    rope->as.join.right = right;
    return rope;
}

static void rope_drop(struct rope *rope)
{
    if (--rope->references > 0)
        return;
    switch (rope->kind) {
    case ROPE_LEAF:
        free(rope->as.leaf);
        break;
    case ROPE_JOIN:
        rope_drop(rope->as.join.left);
        rope_drop(rope->as.join.right);
        break;
    }
    free(rope);
    ropes_alive--;
}

static char rope_at(const struct rope *rope, size_t index)
{
    while (rope->kind == ROPE_JOIN) {
        const struct rope *left = rope->as.join.left;
        if (index < left->length) {
            rope = left;
        } else {
            index -= left->length;
            rope = rope->as.join.right;
        }
    }
    return rope->as.leaf[index];
}

static struct rope *rope_slice(struct rope *rope, size_t start, size_t end)
{
    if (start == 0 && end == rope->length)
        return rope_share(rope);
    if (rope->kind == ROPE_LEAF)
        return rope_leaf(rope->as.leaf + start, end - start);
    struct rope *left = rope->as.join.left, *right = rope->as.join.right;
    if (end <= left->length)
        return rope_slice(left, start, end);
    if (start >= left->length)
        return rope_slice(right, start - left->length, end - left->length);
    return rope_join(rope_slice(left, start, left->length),
                     rope_slice(right, 0, end - left->length));
}

static void rope_flatten(const struct rope *rope, struct text *text)
{
    if (rope->kind == ROPE_LEAF) {
        text_append(text, rope->as.leaf, rope->length);
        return;
    }
    rope_flatten(rope->as.join.left, text);
    rope_flatten(rope->as.join.right, text);
}

static struct rope *rope_insert(struct rope *rope, size_t at, const char *string)
{
    struct rope *head = rope_slice(rope, 0, at);
    struct rope *tail = rope_slice(rope, at, rope->length);
    struct rope *middle = rope_leaf(string, strlen(string));
    rope_drop(rope);
    return rope_join(rope_join(head, middle), tail);
}

static void test_rope(void)
{
    struct digest digest;
    struct random random;
    struct text text;
    digest_init(&digest);
    random_seed(&random, 3);
    struct rope *rope = rope_leaf("once upon a time", 16);
    struct rope *old = rope_share(rope);
    for (int i = 0; i < 25; i++) {
        char word[12];
        snprintf(word, sizeof word, "<%d>", i);
        rope = rope_insert(rope, random_below(&random, (uint32_t)rope->length + 1), word);
    }
    text_init(&text);
    rope_flatten(rope, &text);
    CHECK(text.length == rope->length);
    for (size_t i = 0; i < rope->length; i += 3)
        CHECK(rope_at(rope, i) == text.bytes[i]);
    digest_text(&digest, text.bytes);
    text_free(&text);
    rope_flatten(old, &text);
    CHECK(strcmp(text.bytes, "once upon a time") == 0);
    text_free(&text);
    digest_int(&digest, ropes_alive);
    rope_drop(old);
    rope_drop(rope);
    CHECK(ropes_alive == 0);
    digest_report(&digest, "rope");
}

/* ------------------------------------------------------------------------------------ */
/* Hash functions                                                                        */
/* ------------------------------------------------------------------------------------ */

static uint32_t hash_text(const char *text)
{
    uint32_t hash = 5381;
    for (; *text; text++)
        hash = hash * 33 + (unsigned char)*text;
    return hash;
}

static uint32_t hash_u32(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ (value >> 16);
}

/* ------------------------------------------------------------------------------------ */
/* Open addressing: numbers to numbers, linear probing, deletion without tombstones      */
/* ------------------------------------------------------------------------------------ */

struct probe_slot {
    uint32_t key;
    int value;
    bool used;
};

struct probe_table {
    struct probe_slot *slots;
    uint32_t mask;
    uint32_t count;
};

static void probe_init(struct probe_table *table, uint32_t capacity)
{
    table->slots = calloc(capacity, sizeof *table->slots);
    table->mask = capacity - 1;
    table->count = 0;
}

static struct probe_slot *probe_find(const struct probe_table *table, uint32_t key)
{
    uint32_t at = hash_u32(key) & table->mask;
    while (table->slots[at].used && table->slots[at].key != key)
        at = (at + 1) & table->mask;
    return &table->slots[at];
}

static void probe_put(struct probe_table *table, uint32_t key, int value);

static void probe_grow(struct probe_table *table)
{
    struct probe_table bigger;
    probe_init(&bigger, 2 * (table->mask + 1));
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->slots[i].used)
            probe_put(&bigger, table->slots[i].key, table->slots[i].value);
    free(table->slots);
    *table = bigger;
}

static void probe_put(struct probe_table *table, uint32_t key, int value)
{
    if (4 * (table->count + 1) > 3 * (table->mask + 1))
        probe_grow(table);
    struct probe_slot *slot = probe_find(table, key);
    if (!slot->used) {
        slot->used = true;
        slot->key = key;
        table->count++;
    }
    slot->value = value;
}

static bool probe_get(const struct probe_table *table, uint32_t key, int *value)
{
    const struct probe_slot *slot = probe_find(table, key);
    if (slot->used)
        *value = slot->value;
    return slot->used;
}

static bool probe_delete(struct probe_table *table, uint32_t key)
{
    struct probe_slot *slot = probe_find(table, key);
    if (!slot->used)
        return false;
    uint32_t hole = (uint32_t)(slot - table->slots);
    for (uint32_t at = (hole + 1) & table->mask; table->slots[at].used; at = (at + 1) & table->mask) {
        uint32_t home = hash_u32(table->slots[at].key) & table->mask;
        if (((at - home) & table->mask) >= ((at - hole) & table->mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].used = false;
    table->count--;
    return true;
}

static void test_probe_table(void)
{
    struct digest digest;
    struct random random;
    struct probe_table table;
    int expected[100];
    digest_init(&digest);
    random_seed(&random, 4);
    memset(expected, -1, sizeof expected);
    probe_init(&table, 8);
    for (int i = 0; i < 400; i++) {
        uint32_t key = random_below(&random, 100);
        if (random_below(&random, 3) == 0) {
            CHECK(probe_delete(&table, key) == (expected[key] >= 0));
            expected[key] = -1;
        } else {
            probe_put(&table, key, i);
            expected[key] = i;
        }
    }
    for (uint32_t key = 0; key < 100; key++) {
        int value = -1;
        CHECK(probe_get(&table, key, &value) == (expected[key] >= 0));
        CHECK(value == expected[key]);
        digest_int(&digest, value);
    }
    digest_u64(&digest, table.count);
    digest_u64(&digest, table.mask);
    free(table.slots);
    digest_report(&digest, "probe table");
}

/* ------------------------------------------------------------------------------------ */
/* Chaining: texts to numbers, with iteration in order of insertion                      */
/* ------------------------------------------------------------------------------------ */

struct chain_entry {
    struct chain_entry *next_in_bucket;
    struct chain_entry *next, *previous;
    uint32_t hash;
    long value;
    char key[];
};

struct chain_table {
    struct chain_entry **buckets;
    size_t bucket_count;
    size_t count;
    struct chain_entry *first, *last;
};

static void chain_init(struct chain_table *table)
{
    memset(table, 0, sizeof *table);
    table->bucket_count = 4;
    table->buckets = calloc(table->bucket_count, sizeof *table->buckets);
}

static struct chain_entry **chain_place(struct chain_table *table, const char *key, uint32_t hash)
{
    struct chain_entry **place = &table->buckets[hash % table->bucket_count];
    while (*place && ((*place)->hash != hash || strcmp((*place)->key, key) != 0))
        place = &(*place)->next_in_bucket;
    return place;
}

static void chain_resize(struct chain_table *table, size_t bucket_count)
{
    free(table->buckets);
    table->buckets = calloc(bucket_count, sizeof *table->buckets);
    table->bucket_count = bucket_count;
    for (struct chain_entry *entry = table->first; entry; entry = entry->next) {
        struct chain_entry **bucket = &table->buckets[entry->hash % bucket_count];
        entry->next_in_bucket = *bucket;
        *bucket = entry;
    }
}

/* The value of a key, which is made with 0 if it is new. */
static long *chain_value(struct chain_table *table, const char *key)
{
    uint32_t hash = hash_text(key);
    struct chain_entry **place = chain_place(table, key, hash);
    if (*place)
        return &(*place)->value;
    if (table->count >= 2 * table->bucket_count) {
        chain_resize(table, 2 * table->bucket_count + 1);
        place = chain_place(table, key, hash);
    }
    struct chain_entry *entry = malloc(sizeof *entry + strlen(key) + 1);
    strcpy(entry->key, key);
    entry->hash = hash;
    entry->value = 0;
    entry->next_in_bucket = NULL;
    entry->next = NULL;
    entry->previous = table->last;
    if (table->last)
        table->last->next = entry;
    else
        table->first = entry;
    table->last = entry;
    table->count++;
    *place = entry;
    return &entry->value;
}

static bool chain_remove(struct chain_table *table, const char *key)
{
    struct chain_entry **place = chain_place(table, key, hash_text(key));
    struct chain_entry *entry = *place;
    if (!entry)
        return false;
    *place = entry->next_in_bucket;
    if (entry->previous)
        entry->previous->next = entry->next;
    else
        table->first = entry->next;
    if (entry->next)
        entry->next->previous = entry->previous;
    else
        table->last = entry->previous;
    free(entry);
    table->count--;
    return true;
}

static void chain_free(struct chain_table *table)
{
    while (table->first)
        chain_remove(table, table->first->key);
    free(table->buckets);
}

static void test_chain_table(void)
{
    static const char story[] =
        "the quick brown fox jumps over the lazy dog and the dog sleeps while the fox runs "
        "over the hill and over the river and the quick river runs to the sea";
    struct digest digest;
    struct chain_table words;
    char copy[sizeof story];
    digest_init(&digest);
    chain_init(&words);
    strcpy(copy, story);
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        ++*chain_value(&words, word);
    CHECK(*chain_value(&words, "the") == 8);
    CHECK(*chain_value(&words, "river") == 2);
    CHECK(chain_remove(&words, "lazy"));
    CHECK(!chain_remove(&words, "lazy"));
    for (int i = 0; i < 60; i++) {
        char key[16];
        snprintf(key, sizeof key, "key-%03d", i % 40);
        *chain_value(&words, key) += i;
    }
    for (struct chain_entry *entry = words.first; entry; entry = entry->next) {
        digest_text(&digest, entry->key);
        digest_u64(&digest, (uint64_t)entry->value);
    }
    digest_u64(&digest, words.bucket_count);
    chain_free(&words);
    CHECK(words.count == 0);
    digest_report(&digest, "chain table");
}

/* ------------------------------------------------------------------------------------ */
/* AVL tree: an ordered map                                                              */
/* ------------------------------------------------------------------------------------ */

struct avl_node {
    int key, value;
    int height;
    struct avl_node *left, *right;
};

static int avl_height(const struct avl_node *node)
{
    return node ? node->height : 0;
}

static void avl_measure(struct avl_node *node)
{
    int left = avl_height(node->left), right = avl_height(node->right);
    node->height = 1 + (left > right ? left : right);
}

static struct avl_node *avl_rotate_right(struct avl_node *node)
{
    struct avl_node *top = node->left;
    node->left = top->right;
    top->right = node;
    avl_measure(node);
    avl_measure(top);
    return top;
}

static struct avl_node *avl_rotate_left(struct avl_node *node)
{
    struct avl_node *top = node->right;
    node->right = top->left;
    top->left = node;
    avl_measure(node);
    avl_measure(top);
    return top;
}

static struct avl_node *avl_balance(struct avl_node *node)
{
    avl_measure(node);
    int lean = avl_height(node->left) - avl_height(node->right);
    if (lean > 1) {
        if (avl_height(node->left->left) < avl_height(node->left->right))
            node->left = avl_rotate_left(node->left);
        return avl_rotate_right(node);
    }
    if (lean < -1) {
        if (avl_height(node->right->right) < avl_height(node->right->left))
            node->right = avl_rotate_right(node->right);
        return avl_rotate_left(node);
    }
    return node;
}

static struct avl_node *avl_put(struct avl_node *node, int key, int value)
{
    if (!node) {
        node = malloc(sizeof *node);
        *node = (struct avl_node){.key = key, .value = value, .height = 1};
        return node;
    }
    if (key < node->key)
        node->left = avl_put(node->left, key, value);
    else if (key > node->key)
        node->right = avl_put(node->right, key, value);
    else
        node->value = value;
    return avl_balance(node);
}

static struct avl_node *avl_take_least(struct avl_node *node, struct avl_node **least)
{
    if (!node->left) {
        *least = node;
        return node->right;
    }
    node->left = avl_take_least(node->left, least);
    return avl_balance(node);
}

static struct avl_node *avl_delete(struct avl_node *node, int key)
{
    if (!node)
        return NULL;
    if (key < node->key) {
        node->left = avl_delete(node->left, key);
    } else if (key > node->key) {
        node->right = avl_delete(node->right, key);
    } else {
        struct avl_node *left = node->left, *right = node->right, *heir;
        free(node);
        if (!right)
            return left;
        right = avl_take_least(right, &heir);
        heir->left = left;
        heir->right = right;
        node = heir;
    }
    return avl_balance(node);
}

static int avl_walk(const struct avl_node *node, void (*visit)(const struct avl_node *, void *),
                    void *context)
{
    if (!node)
        return 0;
    int left = avl_walk(node->left, visit, context);
    visit(node, context);
    int right = avl_walk(node->right, visit, context);
    CHECK(left - right <= 1 && right - left <= 1);
    return 1 + (left > right ? left : right);
}

struct avl_order {
    struct digest *digest;
    int last;
};

static void avl_visit(const struct avl_node *node, void *context)
{
    struct avl_order *order = context;
    CHECK(node->key > order->last);
    order->last = node->key;
    digest_int(order->digest, node->key);
    digest_int(order->digest, node->value);
}

static void avl_free(struct avl_node *node)
{
    if (!node)
        return;
    avl_free(node->left);
    avl_free(node->right);
    free(node);
}

static void test_avl(void)
{
    struct digest digest;
    struct random random;
    struct avl_node *root = NULL;
    digest_init(&digest);
    random_seed(&random, 5);
    for (int i = 0; i < 64; i++)
        root = avl_put(root, i, i * i);
    CHECK(avl_height(root) == 7);
    for (int i = 0; i < 80; i++)
        root = avl_put(root, (int)random_below(&random, 500), i);
    for (int i = 0; i < 200; i++)
        root = avl_delete(root, (int)random_below(&random, 300));
    struct avl_order order = {&digest, -1};
    digest_int(&digest, avl_walk(root, avl_visit, &order));
    avl_free(root);
    digest_report(&digest, "avl tree");
}

/* ------------------------------------------------------------------------------------ */
/* Red-black tree of intrusive nodes, left-leaning                                       */
/* ------------------------------------------------------------------------------------ */

struct rb_node {
    struct rb_node *child[2];
    bool is_red;
};

struct rb_item {
    const char *name;
    struct rb_node node;
};

#define RB_ITEM(pointer) ((struct rb_item *)((char *)(pointer) - offsetof(struct rb_item, node)))

static bool rb_is_red(const struct rb_node *node)
{
    return node && node->is_red;
}

static struct rb_node *rb_rotate(struct rb_node *node, int side)
{
    struct rb_node *top = node->child[!side];
    node->child[!side] = top->child[side];
    top->child[side] = node;
    top->is_red = node->is_red;
    node->is_red = true;
    return top;
}

static void rb_flip(struct rb_node *node)
{
    node->is_red = !node->is_red;
    node->child[0]->is_red = !node->child[0]->is_red;
    node->child[1]->is_red = !node->child[1]->is_red;
}

static struct rb_node *rb_insert(struct rb_node *node, struct rb_item *item)
{
    if (!node) {
        item->node = (struct rb_node){{NULL, NULL}, true};
        return &item->node;
    }
    int order = strcmp(item->name, RB_ITEM(node)->name);
    if (order == 0)
        return node;
    int side = order > 0;
    node->child[side] = rb_insert(node->child[side], item);
    if (rb_is_red(node->child[1]) && !rb_is_red(node->child[0]))
        node = rb_rotate(node, 0);
    if (rb_is_red(node->child[0]) && rb_is_red(node->child[0]->child[0]))
        node = rb_rotate(node, 1);
    if (rb_is_red(node->child[0]) && rb_is_red(node->child[1]))
        rb_flip(node);
    return node;
}

/* The number of black nodes on every way down; folds the names in order. */
static int rb_verify(const struct rb_node *node, struct digest *digest)
{
    if (!node)
        return 0;
    int left = rb_verify(node->child[0], digest);
    digest_text(digest, RB_ITEM(node)->name);
    int right = rb_verify(node->child[1], digest);
    CHECK(left == right);
    CHECK(!(node->is_red && rb_is_red(node->child[0])));
    CHECK(!rb_is_red(node->child[1]));
    return left + !node->is_red;
}

static void test_red_black(void)
{
    static const char *const names[] = {
        "oak",    "elm",   "ash",    "birch",  "cedar", "fir",    "pine",   "yew",  "maple",
        "willow", "alder", "beech",  "hazel",  "holly", "larch",  "lime",   "plum", "rowan",
        "spruce", "teak",  "walnut", "cherry", "apple", "poplar", "linden", "oak",  "ash",
    };
    struct rb_item items[ARRAY_LENGTH(names)];
    struct rb_node *root = NULL;
    struct digest digest;
    digest_init(&digest);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        items[i].name = names[i];
        root = rb_insert(root, &items[i]);
        root->is_red = false;
    }
    int black = rb_verify(root, &digest);
    CHECK(digest.count == 25);
    digest_int(&digest, black);
    digest_report(&digest, "red-black tree");
}

/* ------------------------------------------------------------------------------------ */
/* Priority queue: a binary heap of jobs, and Dijkstra's shortest paths on it            */
/* ------------------------------------------------------------------------------------ */

struct heap_entry {
    unsigned priority;
    unsigned payload;
};

struct heap {
    struct heap_entry entries[128];
    unsigned count;
};

static bool heap_before(const struct heap *heap, unsigned a, unsigned b)
{
    const struct heap_entry *left = &heap->entries[a], *right = &heap->entries[b];
    if (left->priority != right->priority)
        return left->priority < right->priority;
    return left->payload < right->payload;
}

static void heap_swap(struct heap *heap, unsigned a, unsigned b)
{
    struct heap_entry entry = heap->entries[a];
    heap->entries[a] = heap->entries[b];
    heap->entries[b] = entry;
}

static void heap_push(struct heap *heap, unsigned priority, unsigned payload)
{
    assert(heap->count < ARRAY_LENGTH(heap->entries));
    unsigned at = heap->count++;
    heap->entries[at] = (struct heap_entry){priority, payload};
    while (at > 0 && heap_before(heap, at, (at - 1) / 2)) {
        heap_swap(heap, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static struct heap_entry heap_pop(struct heap *heap)
{
    struct heap_entry top = heap->entries[0];
    heap->entries[0] = heap->entries[--heap->count];
    unsigned at = 0;
    for (;;) {
        unsigned least = at;
        for (unsigned child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < heap->count && heap_before(heap, child, least))
                least = child;
        if (least == at)
            return top;
        heap_swap(heap, at, least);
        at = least;
    }
}

#define NODES 12
#define NO_WAY 0xffffffffu

static void shortest_paths(unsigned lengths[NODES][NODES], unsigned from, unsigned distance[NODES])
{
    struct heap heap = {.count = 0};
    for (unsigned i = 0; i < NODES; i++)
        distance[i] = NO_WAY;
    distance[from] = 0;
    heap_push(&heap, 0, from);
    while (heap.count) {
        struct heap_entry entry = heap_pop(&heap);
        if (entry.priority > distance[entry.payload])
            continue;
        for (unsigned to = 0; to < NODES; to++) {
            unsigned length = lengths[entry.payload][to];
            if (length == 0 || entry.priority + length >= distance[to])
                continue;
            distance[to] = entry.priority + length;
            heap_push(&heap, distance[to], to);
        }
    }
}

static void test_heap(void)
{
    struct digest digest;
    struct random random;
    struct heap heap = {.count = 0};
    unsigned lengths[NODES][NODES] = {{0}}, distance[NODES];
    digest_init(&digest);
    random_seed(&random, 6);
    for (unsigned i = 0; i < 60; i++)
        heap_push(&heap, random_below(&random, 40), i);
    unsigned last = 0;
    while (heap.count) {
        struct heap_entry entry = heap_pop(&heap);
        CHECK(entry.priority >= last);
        last = entry.priority;
        digest_u64(&digest, entry.payload);
    }
    for (unsigned i = 0; i < 40; i++) {
        unsigned from = random_below(&random, NODES), to = random_below(&random, NODES);
        lengths[from][to] = 1 + random_below(&random, 30);
    }
    shortest_paths(lengths, 0, distance);
    for (unsigned i = 0; i < NODES; i++)
        for (unsigned j = 0; j < NODES; j++)
            if (lengths[i][j] && distance[i] != NO_WAY)
                CHECK(distance[j] <= distance[i] + lengths[i][j]);
    for (unsigned i = 0; i < NODES; i++)
        digest_u64(&digest, distance[i]);
    digest_report(&digest, "heap");
}

/* ------------------------------------------------------------------------------------ */
/* Least-recently-used cache: a list in order of use, and buckets                        */
/* ------------------------------------------------------------------------------------ */

struct list {
    struct list *next, *previous;
};

static void list_init(struct list *list)
{
    list->next = list->previous = list;
}

static void list_unlink(struct list *entry)
{
    entry->previous->next = entry->next;
    entry->next->previous = entry->previous;
}

static void list_insert_after(struct list *place, struct list *entry)
{
    entry->next = place->next;
    entry->previous = place;
    place->next->previous = entry;
    place->next = entry;
}

struct lru_entry {
    struct list by_use; /* first, so that a list entry is its cache entry */
    struct lru_entry *next_in_bucket;
    unsigned key;
    unsigned value;
};

struct lru {
    struct list by_use;
    struct lru_entry *buckets[8];
    unsigned count, capacity;
    unsigned hits, misses;
    unsigned (*compute)(unsigned key);
};

static void lru_init(struct lru *lru, unsigned capacity, unsigned (*compute)(unsigned))
{
    memset(lru, 0, sizeof *lru);
    list_init(&lru->by_use);
    lru->capacity = capacity;
    lru->compute = compute;
}

static struct lru_entry **lru_place(struct lru *lru, unsigned key)
{
    struct lru_entry **place = &lru->buckets[key % ARRAY_LENGTH(lru->buckets)];
    while (*place && (*place)->key != key)
        place = &(*place)->next_in_bucket;
    return place;
}

static void lru_evict(struct lru *lru)
{
    struct lru_entry *oldest = (struct lru_entry *)lru->by_use.previous;
    struct lru_entry **place = lru_place(lru, oldest->key);
    *place = oldest->next_in_bucket;
    list_unlink(&oldest->by_use);
    free(oldest);
    lru->count--;
}

static unsigned lru_get(struct lru *lru, unsigned key)
{
    struct lru_entry *entry = *lru_place(lru, key);
    if (entry) {
        lru->hits++;
        list_unlink(&entry->by_use);
        list_insert_after(&lru->by_use, &entry->by_use);
        return entry->value;
    }
    lru->misses++;
    if (lru->count == lru->capacity)
        lru_evict(lru);
    entry = malloc(sizeof *entry);
    entry->key = key;
    entry->value = lru->compute(key);
    struct lru_entry **place = lru_place(lru, key);
    entry->next_in_bucket = *place;
    *place = entry;
    list_insert_after(&lru->by_use, &entry->by_use);
    lru->count++;
    return entry->value;
}

static unsigned collatz_length(unsigned n)
{
    unsigned length = 1;
    for (n++; n != 1; length++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return length;
}

static void test_lru(void)
{
    struct digest digest;
    struct random random;
    struct lru lru;
    digest_init(&digest);
    random_seed(&random, 7);
    lru_init(&lru, 10, collatz_length);
    for (int i = 0; i < 200; i++) {
        unsigned key = random_below(&random, 6) * random_below(&random, 6);
        CHECK(lru_get(&lru, key) == collatz_length(key));
    }
    CHECK(lru.count == lru.capacity);
    for (struct list *at = lru.by_use.next; at != &lru.by_use; at = at->next)
        digest_u64(&digest, ((struct lru_entry *)at)->key);
    digest_u64(&digest, lru.hits);
    digest_u64(&digest, lru.misses);
    while (lru.count)
        lru_evict(&lru);
    CHECK(lru.by_use.next == &lru.by_use);
    digest_report(&digest, "lru cache");
}

/* ------------------------------------------------------------------------------------ */
/* Bit sets, and the sieve                                                               */
/* ------------------------------------------------------------------------------------ */

#define WORD_BITS 64

struct bitset {
    uint64_t *words;
    size_t bits;
};

static size_t bitset_words(const struct bitset *set)
{
    return (set->bits + WORD_BITS - 1) / WORD_BITS;
}

static void bitset_init(struct bitset *set, size_t bits)
{
    set->bits = bits;
    set->words = calloc(bitset_words(set), sizeof *set->words);
}

static void bitset_set(struct bitset *set, size_t bit)
{
    set->words[bit / WORD_BITS] |= (uint64_t)1 << bit % WORD_BITS;
}

static void bitset_clear(struct bitset *set, size_t bit)
{
    set->words[bit / WORD_BITS] &= ~((uint64_t)1 << bit % WORD_BITS);
}

static bool bitset_has(const struct bitset *set, size_t bit)
{
    return set->words[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

static size_t bitset_count(const struct bitset *set)
{
    size_t count = 0;
    for (size_t i = 0; i < bitset_words(set); i++)
        count += (size_t)__builtin_popcountll(set->words[i]);
    return count;
}

/* The first member from a bit on, or the number of bits. */
static size_t bitset_next(const struct bitset *set, size_t bit)
{
    for (size_t i = bit / WORD_BITS; i < bitset_words(set); i++) {
        uint64_t word = set->words[i];
        if (i == bit / WORD_BITS)
            word &= ~(uint64_t)0 << bit % WORD_BITS;
        if (word)
            return i * WORD_BITS + (size_t)__builtin_ctzll(word);
    }
    return set->bits;
}

static void bitset_combine(struct bitset *set, const struct bitset *other, char operation)
{
    for (size_t i = 0; i < bitset_words(set); i++) {
        switch (operation) {
        case '&': set->words[i] &= other->words[i]; break;
        case '|': set->words[i] |= other->words[i]; break;
        case '^': set->words[i] ^= other->words[i]; break;
        case '-': set->words[i] &= ~other->words[i]; break;
        default: abort();
        }
    }
}

static void test_bitset(void)
{
    struct digest digest;
    struct bitset primes, thirds;
    const size_t limit = 1000;
    digest_init(&digest);
    bitset_init(&primes, limit);
    bitset_init(&thirds, limit);
    for (size_t i = 2; i < limit; i++)
        bitset_set(&primes, i);
    for (size_t i = 2; i * i < limit; i++)
        if (bitset_has(&primes, i))
            for (size_t j = i * i; j < limit; j += i)
                bitset_clear(&primes, j);
    CHECK(bitset_count(&primes) == 168);
    size_t members = 0;
    for (size_t i = bitset_next(&primes, 0); i < limit; i = bitset_next(&primes, i + 1)) {
        members++;
        if (i > 900)
            digest_u64(&digest, i);
    }
    CHECK(members == 168);
    for (size_t i = 0; i < limit; i += 3)
        bitset_set(&thirds, i);
    static const char operations[] = "|^-&";
    for (const char *operation = operations; *operation; operation++) {
        bitset_combine(&thirds, &primes, *operation);
        digest_u64(&digest, bitset_count(&thirds));
    }
    CHECK(bitset_count(&thirds) == 0 || bitset_count(&thirds) <= 168);
    free(primes.words);
    free(thirds.words);
    digest_report(&digest, "bit set");
}

/* ------------------------------------------------------------------------------------ */
/* Sorting                                                                               */
/* ------------------------------------------------------------------------------------ */

static void swap_ints(int *a, int *b)
{
    int saved = *a;
    *a = *b;
    *b = saved;
}

static void sort_insertion(int *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static void sort_selection(int *items, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < count; j++)
            if (items[j] < items[least])
                least = j;
        swap_ints(&items[i], &items[least]);
    }
}

static void sort_bubble(int *items, size_t count)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 1; i < count; i++) {
            if (items[i - 1] > items[i]) {
                swap_ints(&items[i - 1], &items[i]);
                changed = true;
            }
        }
    }
}

static void sort_shell(int *items, size_t count)
{
    static const size_t gaps[] = {57, 23, 10, 4, 1};
    for (size_t g = 0; g < ARRAY_LENGTH(gaps); g++) {
        size_t gap = gaps[g];
        for (size_t i = gap; i < count; i++)
            for (size_t j = i; j >= gap && items[j - gap] > items[j]; j -= gap)
                swap_ints(&items[j - gap], &items[j]);
    }
}

static void sort_quick(int *items, size_t count)
{
    while (count > 8) {
        int pivot = items[count / 2];
        size_t low = 0, high = count - 1;
        for (;;) {
            while (items[low] < pivot)
                low++;
            while (items[high] > pivot)
                high--;
            if (low >= high)
                break;
            swap_ints(&items[low++], &items[high--]);
        }
        sort_quick(items, low);
        items += low;
        count -= low;
    }
    sort_insertion(items, count);
}

static void merge_into(const int *left, size_t left_count, const int *right, size_t right_count, int *to)
{
    while (left_count && right_count) {
        if (*left <= *right) {
            *to++ = *left++;
            left_count--;
        } else {
            *to++ = *right++;
            right_count--;
        }
    }
    memcpy(to, left, left_count * sizeof *to);
    memcpy(to + left_count, right, right_count * sizeof *to);
}

static void sort_merge(int *items, size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2;
    sort_merge(items, half);
    sort_merge(items + half, count - half);
    int *merged = malloc(count * sizeof *merged);
    merge_into(items, half, items + half, count - half, merged);
    memcpy(items, merged, count * sizeof *items);
    free(merged);
}

static void sift_down(int *items, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && items[child + 1] > items[child])
            child++;
        if (items[at] >= items[child])
            return;
        swap_ints(&items[at], &items[child]);
    }
}

static void sort_heap(int *items, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(items, i, count);
    for (size_t end = count; end-- > 1;) {
        swap_ints(&items[0], &items[end]);
        sift_down(items, 0, end);
    }
}

static void sort_radix(int *items, size_t count)
{
    int *from = items, *to = malloc(count * sizeof *to), *scratch = to;
    for (int shift = 0; shift < 32; shift += 8) {
        size_t starts[257] = {0};
        for (size_t i = 0; i < count; i++)
            starts[(((uint32_t)from[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            starts[digit + 1] += starts[digit];
        for (size_t i = 0; i < count; i++)
            to[starts[((uint32_t)from[i] ^ 0x80000000u) >> shift & 255]++] = from[i];
        int *swap = from;
        from = to;
        to = swap;
    }
    free(scratch);
}

static int compare_ints(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

static void sort_library(int *items, size_t count)
{
    qsort(items, count, sizeof *items, compare_ints);
}

static const struct sort {
    const char *name;
    void (*sort)(int *items, size_t count);
} sorts[] = {
    {"insertion", sort_insertion}, {"selection", sort_selection}, {"bubble", sort_bubble},
    {"shell", sort_shell},         {"quick", sort_quick},         {"merge", sort_merge},
    {"heap", sort_heap},           {"radix", sort_radix},         {"library", sort_library},
};

static void test_sort(void)
{
    struct digest digest;
    int reference[90], items[90];
    const size_t count = ARRAY_LENGTH(items);
    digest_init(&digest);
    for (unsigned s = 0; s < ARRAY_LENGTH(sorts); s++) {
        struct random random;
        random_seed(&random, 8);
        for (size_t i = 0; i < count; i++)
            items[i] = (int)random_below(&random, 2000) - 1000;
        sorts[s].sort(items, count);
        for (size_t i = 1; i < count; i++)
            CHECK(items[i - 1] <= items[i]);
        if (s == 0)
            memcpy(reference, items, sizeof items);
        CHECK(memcmp(reference, items, sizeof items) == 0);
        digest_text(&digest, sorts[s].name);
    }
    int wanted = reference[30];
    int *found = bsearch(&wanted, reference, count, sizeof *reference, compare_ints);
    CHECK(found && *found == wanted);
    digest_bytes(&digest, reference, sizeof reference);
    digest_report(&digest, "sorting");
}

/* ------------------------------------------------------------------------------------ */
/* Big integers: natural numbers in base 10^9                                            */
/* ------------------------------------------------------------------------------------ */

#define BIG_BASE 1000000000u
#define BIG_LIMBS 32

struct big {
    unsigned count; /* of limbs, the lowest first; 0 has none */
    uint32_t limbs[BIG_LIMBS];
};

static struct big big_from(uint64_t value)
{
    struct big result = {.count = 0};
    for (; value; value /= BIG_BASE)
        result.limbs[result.count++] = (uint32_t)(value % BIG_BASE);
    return result;
}

static struct big big_add(const struct big *a, const struct big *b)
{
    struct big result = {.count = 0};
    uint32_t carry = 0;
    for (unsigned i = 0; i < a->count || i < b->count || carry; i++) {
        uint32_t sum = carry;
        sum += i < a->count ? a->limbs[i] : 0;
        sum += i < b->count ? b->limbs[i] : 0;
        assert(i < BIG_LIMBS);
        result.limbs[i] = sum % BIG_BASE;
        carry = sum / BIG_BASE;
        result.count = i + 1;
    }
    return result;
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* The first number must not be less than the second. */
static struct big big_subtract(const struct big *a, const struct big *b)
{
    struct big result = *a;
    uint32_t borrow = 0;
    for (unsigned i = 0; i < a->count; i++) {
        uint32_t take = borrow + (i < b->count ? b->limbs[i] : 0);
        borrow = result.limbs[i] < take;
        result.limbs[i] += borrow * BIG_BASE;
        result.limbs[i] -= take;
    }
    CHECK(borrow == 0);
    while (result.count && result.limbs[result.count - 1] == 0)
        result.count--;
    return result;
}

static struct big big_multiply(const struct big *a, const struct big *b)
{
    struct big result;
    memset(&result, 0, sizeof result);
    assert(a->count + b->count <= BIG_LIMBS);
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < b->count || carry; j++) {
            uint64_t sum = result.limbs[i + j] + carry;
            if (j < b->count)
                sum += (uint64_t)a->limbs[i] * b->limbs[j];
            result.limbs[i + j] = (uint32_t)(sum % BIG_BASE);
            carry = sum / BIG_BASE;
        }
    }
    result.count = a->count + b->count;
    while (result.count && result.limbs[result.count - 1] == 0)
        result.count--;
    return result;
}

static uint32_t big_divide_small(struct big *a, uint32_t divisor)
{
    uint64_t rest = 0;
    for (unsigned i = a->count; i-- > 0;) {
        rest = rest * BIG_BASE + a->limbs[i];
        a->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (a->count && a->limbs[a->count - 1] == 0)
        a->count--;
    return (uint32_t)rest;
}

static struct big big_power(uint32_t base, unsigned exponent)
{
    struct big result = big_from(1), square = big_from(base);
    for (; exponent; exponent /= 2) {
        if (exponent % 2)
            result = big_multiply(&result, &square);
        if (exponent > 1)
            square = big_multiply(&square, &square);
    }
    return result;
}

static void big_print(const struct big *number, struct text *text)
{
    if (number->count == 0)
        text_add(text, "0");
    for (unsigned i = number->count; i-- > 0;)
        text_format(text, i + 1 == number->count ? "%u" : "%09u", (unsigned)number->limbs[i]);
}

static void test_big(void)
{
    struct digest digest;
    struct text text;
    digest_init(&digest);
    text_init(&text);
    struct big factorial = big_from(1);
    for (unsigned i = 2; i <= 40; i++) {
        struct big factor = big_from(i);
        factorial = big_multiply(&factorial, &factor);
    }
    big_print(&factorial, &text);
    CHECK(strcmp(text.bytes, "815915283247897734345611269596115894272000000000") == 0);
    for (uint32_t i = 2; i <= 40; i++)
        CHECK(big_divide_small(&factorial, i) == 0);
    CHECK(factorial.count == 1 && factorial.limbs[0] == 1);
    struct big previous = big_from(0), current = big_from(1);
    for (int i = 1; i < 200; i++) {
        struct big next = big_add(&previous, &current);
        struct big back = big_subtract(&next, &current);
        CHECK(big_compare(&back, &previous) == 0);
        previous = current;
        current = next;
    }
    text_add(&text, " ");
    big_print(&current, &text);
    struct big power = big_power(7, 100);
    text_add(&text, " ");
    big_print(&power, &text);
    digest_text(&digest, text.bytes);
    text_free(&text);
    digest_report(&digest, "big integers");
}

/* ------------------------------------------------------------------------------------ */
/* Matrices                                                                              */
/* ------------------------------------------------------------------------------------ */

#define SIDE 5

struct matrix {
    double at[SIDE][SIDE];
};

static struct matrix matrix_identity(void)
{
    struct matrix result;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            result.at[row][column] = row == column;
    return result;
}

static struct matrix matrix_multiply(struct matrix a, struct matrix b)
{
    struct matrix result;
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            double sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += a.at[row][k] * b.at[k][column];
            result.at[row][column] = sum;
        }
    }
    return result;
}

static struct matrix matrix_transpose(const struct matrix *matrix)
{
    struct matrix result;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            result.at[column][row] = matrix->at[row][column];
    return result;
}

static double absolute(double value)
{
    return value < 0 ? -value : value;
}

/* Gauss-Jordan with pivoting; the determinant. */
static double matrix_invert(struct matrix matrix, struct matrix *inverse)
{
    double determinant = 1;
    *inverse = matrix_identity();
    for (int step = 0; step < SIDE; step++) {
        int pivot = step;
        for (int row = step + 1; row < SIDE; row++)
            if (absolute(matrix.at[row][step]) > absolute(matrix.at[pivot][step]))
                pivot = row;
        if (matrix.at[pivot][step] == 0)
            return 0;
        for (int column = 0; pivot != step && column < SIDE; column++) {
            double saved = matrix.at[pivot][column];
            matrix.at[pivot][column] = matrix.at[step][column];
            matrix.at[step][column] = saved;
            saved = inverse->at[pivot][column];
            inverse->at[pivot][column] = inverse->at[step][column];
            inverse->at[step][column] = saved;
        }
        double scale = matrix.at[step][step];
        determinant *= pivot == step ? scale : -scale;
        for (int column = 0; column < SIDE; column++) {
            matrix.at[step][column] /= scale;
            inverse->at[step][column] /= scale;
        }
        for (int row = 0; row < SIDE; row++) {
            double factor = matrix.at[row][step];
            for (int column = 0; row != step && column < SIDE; column++) {
                matrix.at[row][column] -= factor * matrix.at[step][column];
                inverse->at[row][column] -= factor * inverse->at[step][column];
            }
        }
    }
    return determinant;
}

static void test_matrix(void)
{
    struct digest digest;
    struct random random;
    struct matrix matrix, inverse;
    digest_init(&digest);
    random_seed(&random, 9);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            matrix.at[row][column] = (int)random_below(&random, 19) - 9;
    double determinant = matrix_invert(matrix, &inverse);
    CHECK(determinant != 0);
    struct matrix product = matrix_multiply(matrix, inverse);
    struct matrix identity = matrix_identity();
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            CHECK(absolute(product.at[row][column] - identity.at[row][column]) < 1e-9);
    struct matrix square = matrix_multiply(matrix, matrix_transpose(&matrix));
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            digest_int(&digest, (int)square.at[row][column]);
    digest_int(&digest, (int)(determinant + (determinant < 0 ? -0.5 : 0.5)));
    digest_report(&digest, "matrices");
}

/* ------------------------------------------------------------------------------------ */
/* JSON: a parser into an arena, and a printer                                           */
/* ------------------------------------------------------------------------------------ */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    const char *name;   /* within an object */
    struct json *next;  /* within an array or an object */
    union {
        bool boolean;
        double number;
        const char *string;
        struct json *first;
    } as;
};

struct json_parser {
    const char *start, *at;
    const char *error;
    struct arena *arena;
    int depth;
};

static struct json *json_value(struct json_parser *parser);

static struct json *json_fail(struct json_parser *parser, const char *error)
{
    if (!parser->error)
        parser->error = error;
    return NULL;
}

static void json_space(struct json_parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\n' || *parser->at == '\t' || *parser->at == '\r')
        parser->at++;
}

static bool json_accept(struct json_parser *parser, char character)
{
    json_space(parser);
    if (*parser->at != character)
        return false;
    parser->at++;
    return true;
}

static struct json *json_new(struct json_parser *parser, enum json_kind kind)
{
    struct json *json = arena_alloc(parser->arena, sizeof *json);
    memset(json, 0, sizeof *json);
    json->kind = kind;
    return json;
}

static const char *json_text(struct json_parser *parser)
{
    struct text text;
    if (!json_accept(parser, '"')) {
        json_fail(parser, "a string expected");
        return NULL;
    }
    text_init(&text);
    text_add(&text, "");
    while (*parser->at != '"') {
        char character = *parser->at;
        if (character == '\0') {
            json_fail(parser, "string without end");
            text_free(&text);
            return NULL;
        }
        parser->at++;
        if (character == '\\') {
            character = *parser->at;
            switch (character) {
            case 'n': character = '\n'; break;
            case 't': character = '\t'; break;
            case '"':
            case '\\':
            case '/': break;
            default:
                json_fail(parser, "unknown escape");
                text_free(&text);
                return NULL;
            }
            parser->at++;
        }
        text_add_char(&text, character);
    }
    parser->at++;
    const char *copy = arena_text(parser->arena, text.bytes, text.length);
    text_free(&text);
    return copy;
}

static struct json *json_number(struct json_parser *parser)
{
    struct json *json = json_new(parser, JSON_NUMBER);
    bool is_negative = *parser->at == '-';
    double value = 0, scale = 1;
    parser->at += is_negative;
    if (!isdigit((unsigned char)*parser->at))
        return json_fail(parser, "a value expected");
    while (isdigit((unsigned char)*parser->at))
        value = 10 * value + (*parser->at++ - '0');
    if (*parser->at == '.') {
        parser->at++;
        while (isdigit((unsigned char)*parser->at)) {
            scale *= 10;
            value = 10 * value + (*parser->at++ - '0');
        }
    }
    json->as.number = (is_negative ? -value : value) / scale;
    return json;
}

static struct json *json_items(struct json_parser *parser, bool is_object)
{
    struct json *json = json_new(parser, is_object ? JSON_OBJECT : JSON_ARRAY);
    struct json **place = &json->as.first;
    char close = is_object ? '}' : ']';
    if (json_accept(parser, close))
        return json;
    do {
        const char *name = NULL;
        if (is_object) {
            name = json_text(parser);
            if (name && !json_accept(parser, ':'))
                json_fail(parser, "':' expected");
        }
        struct json *item = parser->error ? NULL : json_value(parser);
        if (!item)
            return NULL;
        item->name = name;
        *place = item;
        place = &item->next;
    } while (json_accept(parser, ','));
    return json_accept(parser, close) ? json : json_fail(parser, "',' or the end expected");
}

static bool json_word(struct json_parser *parser, const char *word)
{
    if (!text_starts(parser->at, word))
        return false;
    parser->at += strlen(word);
    return true;
}

static struct json *json_value(struct json_parser *parser)
{
    struct json *json = NULL;
    if (++parser->depth > 20)
        return json_fail(parser, "too deep");
    json_space(parser);
    switch (*parser->at) {
    case '{':
    case '[':
        json = json_items(parser, *parser->at++ == '{');
        break;
    case '"': {
        const char *string = json_text(parser);
        if (string) {
            json = json_new(parser, JSON_STRING);
            json->as.string = string;
        }
        break;
    }
    case 't':
    case 'f':
    case 'n':
        if (json_word(parser, "null")) {
            json = json_new(parser, JSON_NULL);
        } else {
            bool value = *parser->at == 't';
            if (!json_word(parser, value ? "true" : "false"))
                return json_fail(parser, "unknown word");
            json = json_new(parser, JSON_BOOL);
            json->as.boolean = value;
        }
        break;
    default:
        json = json_number(parser);
    }
    parser->depth--;
    return json;
}

static struct json *json_parse(struct arena *arena, const char *input, const char **error, size_t *at)
{
    struct json_parser parser = {.start = input, .at = input, .arena = arena};
    struct json *json = json_value(&parser);
    json_space(&parser);
    if (json && *parser.at)
        json = json_fail(&parser, "more than one value");
    *error = parser.error;
    *at = (size_t)(parser.at - parser.start);
    return json;
}

static void json_print_text(const char *string, struct text *text)
{
    text_add_char(text, '"');
    for (; *string; string++) {
        switch (*string) {
        case '\n': text_add(text, "\\n"); break;
        case '\t': text_add(text, "\\t"); break;
        case '"': text_add(text, "\\\""); break;
        case '\\': text_add(text, "\\\\"); break;
        default: text_add_char(text, *string);
        }
    }
    text_add_char(text, '"');
}

static void json_print(const struct json *json, struct text *text)
{
    switch (json->kind) {
    case JSON_NULL: text_add(text, "null"); return;
    case JSON_BOOL: text_add(text, json->as.boolean ? "true" : "false"); return;
    case JSON_NUMBER: text_format(text, "%.10g", json->as.number); return;
    case JSON_STRING: json_print_text(json->as.string, text); return;
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    text_add_char(text, json->kind == JSON_ARRAY ? '[' : '{');
    for (const struct json *item = json->as.first; item; item = item->next) {
        if (item != json->as.first)
            text_add_char(text, ',');
        if (item->name) {
            json_print_text(item->name, text);
            text_add_char(text, ':');
        }
        json_print(item, text);
    }
    text_add_char(text, json->kind == JSON_ARRAY ? ']' : '}');
}

static const struct json *json_member(const struct json *json, const char *name)
{
    if (json->kind != JSON_OBJECT)
        return NULL;
    for (const struct json *item = json->as.first; item; item = item->next)
        if (strcmp(item->name, name) == 0)
            return item;
    return NULL;
}

static void test_json(void)
{
    static const char *const broken[] = {
        "", "[1, 2", "{\"a\" 1}", "[1 2]", "\"open", "\"\\q\"", "nul", "[1] 2", "-", "{1: 2}",
        "[[[[[[[[[[[[[[[[[[[[[[[[]]]]",
    };
    static const char input[] =
        "{ \"name\": \"fence \\\"post\\\"\", \"sizes\": [1, 2.5, -3, 1000000],\n"
        "  \"nested\": {\"empty\": {}, \"none\": [], \"flag\": true, \"off\": false},\n"
        "  \"nothing\": null, \"lines\": \"a\\nb\\tc\\\\\" }";
    struct digest digest;
    struct arena arena;
    struct text text, again;
    const char *error;
    size_t at;
    digest_init(&digest);
    arena_init(&arena);
    text_init(&text);
    text_init(&again);
    const struct json *json = json_parse(&arena, input, &error, &at);
    CHECK(json && !error);
    json_print(json, &text);
    const struct json *flag = json_member(json_member(json, "nested"), "flag");
    CHECK(flag && flag->kind == JSON_BOOL && flag->as.boolean);
    const struct json *printed = json_parse(&arena, text.bytes, &error, &at);
    CHECK(printed);
    json_print(printed, &again);
    CHECK(strcmp(text.bytes, again.bytes) == 0);
    digest_text(&digest, text.bytes);
    for (size_t i = 0; i < ARRAY_LENGTH(broken); i++) {
        CHECK(json_parse(&arena, broken[i], &error, &at) == NULL);
        digest_text(&digest, error);
        digest_u64(&digest, at);
    }
    text_free(&text);
    text_free(&again);
    arena_release(&arena);
    digest_report(&digest, "json");
}

/* ------------------------------------------------------------------------------------ */
/* A calculator: tokens, reverse Polish code by shunting yard, and a machine for it      */
/* ------------------------------------------------------------------------------------ */

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_OPERATOR, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_BAD };

struct token {
    enum token_kind kind;
    double number;
    char text[8];
};

struct operator_info {
    char symbol;
    int precedence;
    bool is_right;
    double (*apply)(double, double);
};

static double apply_add(double a, double b) { return a + b; }
static double apply_subtract(double a, double b) { return a - b; }
static double apply_multiply(double a, double b) { return a * b; }
static double apply_divide(double a, double b) { return b == 0 ? 0 : a / b; }
static double apply_negate(double a, double b) { return (void)a, -b; }

static double apply_power(double a, double b)
{
    double result = 1;
    for (int i = 0; i < (int)b; i++)
        result *= a;
    return result;
}

static const struct operator_info operators[] = {
    {'+', 1, false, apply_add},    {'-', 1, false, apply_subtract}, {'*', 2, false, apply_multiply},
    {'/', 2, false, apply_divide}, {'~', 3, true, apply_negate},    {'^', 4, true, apply_power},
};

static const struct operator_info *operator_of(char symbol)
{
    for (size_t i = 0; i < ARRAY_LENGTH(operators); i++)
        if (operators[i].symbol == symbol)
            return &operators[i];
    return NULL;
}

static struct token token_next(const char **at)
{
    struct token token = {.kind = TOKEN_BAD};
    while (isspace((unsigned char)**at))
        ++*at;
    char first = **at;
    if (first == '\0') {
        token.kind = TOKEN_END;
    } else if (isdigit((unsigned char)first)) {
        char *end;
        token.kind = TOKEN_NUMBER;
        token.number = (double)strtol(*at, &end, 10);
        *at = end;
    } else if (isalpha((unsigned char)first)) {
        size_t length = 0;
        token.kind = TOKEN_NAME;
        for (; isalnum((unsigned char)**at); ++*at)
            if (length + 1 < sizeof token.text)
                token.text[length++] = **at;
    } else {
        token.text[0] = first;
        ++*at;
        if (first == '(')
            token.kind = TOKEN_OPEN;
        else if (first == ')')
            token.kind = TOKEN_CLOSE;
        else if (operator_of(first))
            token.kind = TOKEN_OPERATOR;
    }
    return token;
}

struct code {
    struct token tokens[48];
    unsigned count;
};

static bool code_emit(struct code *code, struct token token)
{
    if (code->count == ARRAY_LENGTH(code->tokens))
        return false;
    code->tokens[code->count++] = token;
    return true;
}

static bool compile(const char *input, struct code *code)
{
    struct token waiting[32];
    unsigned depth = 0;
    bool wants_operand = true;
    code->count = 0;
    for (;;) {
        struct token token = token_next(&input);
        switch (token.kind) {
        case TOKEN_BAD:
            return false;
        case TOKEN_NUMBER:
        case TOKEN_NAME:
            if (!wants_operand || !code_emit(code, token))
                return false;
            wants_operand = false;
            continue;
        case TOKEN_OPEN:
            if (!wants_operand || depth == ARRAY_LENGTH(waiting))
                return false;
            waiting[depth++] = token;
            continue;
        case TOKEN_CLOSE:
        case TOKEN_END:
            if (wants_operand)
                return false;
            while (depth && waiting[depth - 1].kind != TOKEN_OPEN)
                if (!code_emit(code, waiting[--depth]))
                    return false;
            if (token.kind == TOKEN_END)
                return depth == 0;
            if (depth-- == 0)
                return false;
            continue;
        case TOKEN_OPERATOR:
            break;
        }
        if (wants_operand) {
            if (token.text[0] != '-')
                return false;
            token.text[0] = '~';
        }
        const struct operator_info *info = operator_of(token.text[0]);
        while (!wants_operand && depth && waiting[depth - 1].kind == TOKEN_OPERATOR) {
            const struct operator_info *top = operator_of(waiting[depth - 1].text[0]);
            if (top->precedence < info->precedence || (top->precedence == info->precedence && info->is_right))
                break;
            if (!code_emit(code, waiting[--depth]))
                return false;
        }
        if (depth == ARRAY_LENGTH(waiting))
            return false;
        waiting[depth++] = token;
        wants_operand = true;
    }
}

static double execute(const struct code *code, struct chain_table *variables)
{
    struct double_vector stack;
    double_vector_init(&stack);
    for (unsigned i = 0; i < code->count; i++) {
        const struct token *token = &code->tokens[i];
        if (token->kind == TOKEN_NUMBER) {
            double_vector_push(&stack, token->number);
        } else if (token->kind == TOKEN_NAME) {
            double_vector_push(&stack, (double)*chain_value(variables, token->text));
        } else {
            double right = double_vector_pop(&stack);
            double left = token->text[0] == '~' ? 0 : double_vector_pop(&stack);
            double_vector_push(&stack, operator_of(token->text[0])->apply(left, right));
        }
    }
    double result = double_vector_pop(&stack);
    CHECK(stack.count == 0);
    double_vector_free(&stack);
    return result;
}

static void test_calculator(void)
{
    static const struct {
        const char *input;
        double result;
    } good[] = {
        {"1 + 2 * 3", 7},       {"(1 + 2) * 3", 9},         {"2 ^ 3 ^ 2", 512},
        {"10 - 4 - 3", 3},      {"-2 ^ 2", -4},             {"x * (y - 1) / 4", 50},
        {"7 / 2 * 2", 7},       {"--3", 3},                 {"((((5))))", 5},
        {"x ^ 2 + y ^ 2", 521}, {"1 - (2 - (3 - 4))", -2},  {"2 * -3", -6},
    };
    static const char *const bad[] = {"", "1 +", "(1", "1)", "1 2", "* 3", "2 $ 3", "()"};
    struct digest digest;
    struct chain_table variables;
    struct code code;
    digest_init(&digest);
    chain_init(&variables);
    *chain_value(&variables, "x") = 20;
    *chain_value(&variables, "y") = 11;
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        CHECK(compile(good[i].input, &code));
        double result = execute(&code, &variables);
        CHECK(result == good[i].result);
        digest_int(&digest, (int)(100 * result));
        digest_u64(&digest, code.count);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        CHECK(!compile(bad[i], &code));
    chain_free(&variables);
    digest_report(&digest, "calculator");
}

/* ------------------------------------------------------------------------------------ */
/* CRC-32, Adler-32, base64, hexadecimal, run lengths, SHA-256                           */
/* ------------------------------------------------------------------------------------ */

static uint32_t crc_table[256];

static void crc_prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        crc_table[i] = crc;
    }
}

static uint32_t crc32_of(const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    uint32_t crc = 0xffffffffu;
    while (size--)
        crc = crc_table[(crc ^ *byte++) & 255] ^ crc >> 8;
    return ~crc;
}

static uint32_t adler32_of(const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + byte[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void base64_encode(const uint8_t *bytes, size_t size, struct text *text)
{
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (i + 1 < size)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size)
            group |= bytes[i + 2];
        text_add_char(text, base64_digits[group >> 18]);
        text_add_char(text, base64_digits[group >> 12 & 63]);
        text_add_char(text, i + 1 < size ? base64_digits[group >> 6 & 63] : '=');
        text_add_char(text, i + 2 < size ? base64_digits[group & 63] : '=');
    }
}

static size_t base64_decode(const char *text, uint8_t *bytes)
{
    size_t size = 0;
    uint32_t group = 0;
    int bits = 0;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(base64_digits, *text);
        CHECK(digit != NULL);
        group = group << 6 | (uint32_t)(digit - base64_digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[size++] = (uint8_t)(group >> bits);
        }
    }
    return size;
}

static size_t runs_pack(const uint8_t *bytes, size_t size, uint8_t *packed)
{
    size_t length = 0;
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && bytes[i + run] == bytes[i] && run < 255)
            run++;
        packed[length++] = (uint8_t)run;
        packed[length++] = bytes[i];
        i += run;
    }
    return length;
}

static size_t runs_unpack(const uint8_t *packed, size_t length, uint8_t *bytes)
{
    size_t size = 0;
    for (size_t i = 0; i < length; i += 2) {
        memset(bytes + size, packed[i + 1], packed[i]);
        size += packed[i];
    }
    return size;
}

struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t size;
};

static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t value, int by)
{
    return value >> by | value << (32 - by);
}

static void sha256_init(struct sha256 *sha)
{
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(sha->state, start, sizeof start);
    sha->size = 0;
}

static void sha256_block(struct sha256 *sha)
{
    uint32_t words[64], v[8];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)sha->block[4 * i] << 24 | (uint32_t)sha->block[4 * i + 1] << 16 |
                   (uint32_t)sha->block[4 * i + 2] << 8 | sha->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        uint32_t s0 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
        uint32_t s1 = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    memcpy(v, sha->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t first = v[7] + s1 + choice + sha256_constants[i] + words[i];
        uint32_t s0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + s0 + majority;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += v[i];
}

static void sha256_add(struct sha256 *sha, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        sha->block[sha->size++ % 64] = byte[i];
        if (sha->size % 64 == 0)
            sha256_block(sha);
    }
}

static void sha256_finish(struct sha256 *sha, char hex[65])
{
    uint64_t bits = 8 * sha->size;
    uint8_t padding = 0x80, length[8];
    do {
        sha256_add(sha, &padding, 1);
        padding = 0;
    } while (sha->size % 64 != 56);
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(sha, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", (unsigned)sha->state[i]);
}

static void sha256_of(const void *bytes, size_t size, char hex[65])
{
    struct sha256 sha;
    sha256_init(&sha);
    sha256_add(&sha, bytes, size);
    sha256_finish(&sha, hex);
}

static void test_codes(void)
{
    struct digest digest;
    struct text text;
    uint8_t bytes[128], packed[256], back[128];
    char hex[65];
    digest_init(&digest);
    text_init(&text);
    crc_prepare();
    CHECK(crc32_of("123456789", 9) == 0xcbf43926u);
    CHECK(adler32_of("Wikipedia", 9) == 0x11e60398u);
    sha256_of("abc", 3, hex);
    CHECK(strcmp(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i / 9 * 37);
    sha256_of(bytes, sizeof bytes, hex);
    digest_text(&digest, hex);
    for (size_t size = 0; size < 40; size += 13) {
        text.length = 0;
        text_add(&text, "");
        base64_encode(bytes, size, &text);
        CHECK(base64_decode(text.bytes, back) == size);
        CHECK(memcmp(back, bytes, size) == 0);
        digest_text(&digest, text.bytes);
    }
    size_t length = runs_pack(bytes, sizeof bytes, packed);
    CHECK(length < sizeof bytes);
    CHECK(runs_unpack(packed, length, back) == sizeof bytes);
    CHECK(memcmp(back, bytes, sizeof bytes) == 0);
    digest_u64(&digest, crc32_of(bytes, sizeof bytes));
    digest_u64(&digest, adler32_of(packed, length));
    text_free(&text);
    digest_report(&digest, "codes");
}

/* ------------------------------------------------------------------------------------ */
/* Ring buffer of bytes                                                                  */
/* ------------------------------------------------------------------------------------ */

struct ring {
    uint8_t bytes[64];
    unsigned head, tail; /* run on for ever; their difference is what is filled */
};

static unsigned ring_filled(const struct ring *ring)
{
    return ring->tail - ring->head;
}

static size_t ring_write(struct ring *ring, const void *bytes, size_t size)
{
    size_t space = sizeof ring->bytes - ring_filled(ring);
    if (size > space)
        size = space;
    size_t at = ring->tail % sizeof ring->bytes;
    size_t first = size < sizeof ring->bytes - at ? size : sizeof ring->bytes - at;
    memcpy(ring->bytes + at, bytes, first);
    memcpy(ring->bytes, (const uint8_t *)bytes + first, size - first);
    ring->tail += (unsigned)size;
    return size;
}

static size_t ring_read(struct ring *ring, void *bytes, size_t size)
{
    if (size > ring_filled(ring))
        size = ring_filled(ring);
    size_t at = ring->head % sizeof ring->bytes;
    size_t first = size < sizeof ring->bytes - at ? size : sizeof ring->bytes - at;
    memcpy(bytes, ring->bytes + at, first);
    memcpy((uint8_t *)bytes + first, ring->bytes, size - first);
    ring->head += (unsigned)size;
    return size;
}

static void test_ring(void)
{
    struct digest digest;
    struct random random;
    struct ring ring = {.head = 0xffffffc0u, .tail = 0xffffffc0u};
    uint8_t next_written = 0, next_read = 0;
    digest_init(&digest);
    random_seed(&random, 10);
    for (int i = 0; i < 60; i++) {
        uint8_t chunk[40];
        size_t size = random_below(&random, sizeof chunk);
        if (random_below(&random, 2)) {
            for (size_t j = 0; j < size; j++)
                chunk[j] = (uint8_t)(next_written + j);
            next_written = (uint8_t)(next_written + ring_write(&ring, chunk, size));
        } else {
            size = ring_read(&ring, chunk, size);
            for (size_t j = 0; j < size; j++)
                CHECK(chunk[j] == next_read++);
        }
        digest_u64(&digest, ring_filled(&ring));
    }
    digest_report(&digest, "ring buffer");
}

/* ------------------------------------------------------------------------------------ */
/* Threads: from here on, functions are called by several at a time                      */
/* ------------------------------------------------------------------------------------ */

#define WORKERS 3

static void must(int error)
{
    if (error) {
        fprintf(stderr, "library.c: a thread function failed: %d\n", error);
        abort();
    }
}

static void start_all(pthread_t *threads, int count, void *(*run)(void *), void *argument)
{
    for (int i = 0; i < count; i++)
        must(pthread_create(&threads[i], NULL, run, argument));
}

static void join_all(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        must(pthread_join(threads[i], NULL));
}

/* ------------------------------------------------------------------------------------ */
/* Work queue: bounded, blocking, closed when all is put                                 */
/* ------------------------------------------------------------------------------------ */

struct work_queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    int items[4];
    unsigned first, count;
    bool is_closed;
};

static void queue_init(struct work_queue *queue)
{
    memset(queue, 0, sizeof *queue);
    must(pthread_mutex_init(&queue->mutex, NULL));
    must(pthread_cond_init(&queue->not_empty, NULL));
    must(pthread_cond_init(&queue->not_full, NULL));
}

static void queue_put(struct work_queue *queue, int item)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->count == ARRAY_LENGTH(queue->items))
        pthread_cond_wait(&queue->not_full, &queue->mutex);
    assert(!queue->is_closed);
    queue->items[(queue->first + queue->count++) % ARRAY_LENGTH(queue->items)] = item;
    pthread_cond_signal(&queue->not_empty);
    pthread_mutex_unlock(&queue->mutex);
}

static bool queue_take(struct work_queue *queue, int *item)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->count == 0 && !queue->is_closed)
        pthread_cond_wait(&queue->not_empty, &queue->mutex);
    bool is_there = queue->count > 0;
    if (is_there) {
        *item = queue->items[queue->first];
        queue->first = (queue->first + 1) % ARRAY_LENGTH(queue->items);
        queue->count--;
        pthread_cond_signal(&queue->not_full);
    }
    pthread_mutex_unlock(&queue->mutex);
    return is_there;
}

static void queue_close(struct work_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->is_closed = true;
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->mutex);
}

static void queue_destroy(struct work_queue *queue)
{
    must(pthread_cond_destroy(&queue->not_full));
    must(pthread_cond_destroy(&queue->not_empty));
    must(pthread_mutex_destroy(&queue->mutex));
}

struct queue_test {
    struct work_queue queue;
    atomic_int taken;
    atomic_llong sum;
};

static void *queue_worker(void *argument)
{
    struct queue_test *test = argument;
    int item;
    while (queue_take(&test->queue, &item)) {
        atomic_fetch_add(&test->taken, 1);
        atomic_fetch_add(&test->sum, (long long)item * item);
    }
    return NULL;
}

static void test_queue(void)
{
    struct digest digest;
    struct queue_test test;
    pthread_t threads[WORKERS];
    digest_init(&digest);
    queue_init(&test.queue);
    atomic_init(&test.taken, 0);
    atomic_init(&test.sum, 0);
    start_all(threads, WORKERS, queue_worker, &test);
    for (int i = 1; i <= 20; i++)
        queue_put(&test.queue, i);
    queue_close(&test.queue);
    join_all(threads, WORKERS);
    queue_destroy(&test.queue);
    CHECK(atomic_load(&test.sum) == 2870);
    digest_int(&digest, atomic_load(&test.taken));
    digest_report(&digest, "work queue");
}

/* ------------------------------------------------------------------------------------ */
/* Thread pool with futures                                                              */
/* ------------------------------------------------------------------------------------ */

typedef uint64_t task_function(uint64_t argument);

struct future {
    struct future *next; /* in the pool's list of what is to do */
    task_function *function;
    uint64_t argument;
    uint64_t result;
    bool is_done;
    pthread_mutex_t mutex;
    pthread_cond_t done;
};

struct thread_pool {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct future *first, **last;
    bool is_closing;
    unsigned executed;
    pthread_t threads[WORKERS];
};

static void future_complete(struct future *future, uint64_t result)
{
    pthread_mutex_lock(&future->mutex);
    future->result = result;
    future->is_done = true;
    pthread_cond_broadcast(&future->done);
    pthread_mutex_unlock(&future->mutex);
}

static void *pool_worker(void *argument)
{
    struct thread_pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        struct future *future = pool->first;
        if (future) {
            pool->first = future->next;
            if (!pool->first)
                pool->last = &pool->first;
            pool->executed++;
            pthread_mutex_unlock(&pool->mutex);
            future_complete(future, future->function(future->argument));
            pthread_mutex_lock(&pool->mutex);
        } else if (pool->is_closing) {
            break;
        } else {
            pthread_cond_wait(&pool->changed, &pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static struct thread_pool *thread_pool_new(void)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);
    must(pthread_mutex_init(&pool->mutex, NULL));
    must(pthread_cond_init(&pool->changed, NULL));
    pool->last = &pool->first;
    start_all(pool->threads, WORKERS, pool_worker, pool);
    return pool;
}

static struct future *thread_pool_submit(struct thread_pool *pool, task_function *function, uint64_t argument)
{
    struct future *future = calloc(1, sizeof *future);
    future->function = function;
    future->argument = argument;
    must(pthread_mutex_init(&future->mutex, NULL));
    must(pthread_cond_init(&future->done, NULL));
    pthread_mutex_lock(&pool->mutex);
    *pool->last = future;
    pool->last = &future->next;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    return future;
}

/* Waits for the result and frees the future. */
static uint64_t future_get(struct future *future)
{
    pthread_mutex_lock(&future->mutex);
    while (!future->is_done)
        pthread_cond_wait(&future->done, &future->mutex);
    uint64_t result = future->result;
    pthread_mutex_unlock(&future->mutex);
    must(pthread_cond_destroy(&future->done));
    must(pthread_mutex_destroy(&future->mutex));
    free(future);
    return result;
}

static unsigned thread_pool_close(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    join_all(pool->threads, WORKERS);
    unsigned executed = pool->executed;
    must(pthread_cond_destroy(&pool->changed));
    must(pthread_mutex_destroy(&pool->mutex));
    free(pool);
    return executed;
}

static uint64_t task_fibonacci(uint64_t n)
{
    return n < 2 ? n : task_fibonacci(n - 1) + task_fibonacci(n - 2);
}

static uint64_t task_collatz(uint64_t n)
{
    return collatz_length((unsigned)n);
}

static uint64_t task_hash(uint64_t n)
{
    char hex[65];
    sha256_of(&n, sizeof n, hex);
    return strtoul(hex + 56, NULL, 16);
}

static uint64_t task_sort(uint64_t seed)
{
    struct random random;
    int items[32];
    random_seed(&random, seed);
    for (size_t i = 0; i < ARRAY_LENGTH(items); i++)
        items[i] = (int)random_below(&random, 1000);
    sort_merge(items, ARRAY_LENGTH(items));
    return (uint64_t)items[ARRAY_LENGTH(items) / 2];
}

static void test_thread_pool(void)
{
    static task_function *const functions[] = {task_fibonacci, task_collatz, task_hash, task_sort};
    struct digest digest;
    struct future *futures[16];
    digest_init(&digest);
    struct thread_pool *pool = thread_pool_new();
    for (unsigned i = 0; i < ARRAY_LENGTH(futures); i++)
        futures[i] = thread_pool_submit(pool, functions[i % ARRAY_LENGTH(functions)], i);
    for (unsigned i = 0; i < ARRAY_LENGTH(futures); i++) {
        uint64_t result = future_get(futures[i]);
        CHECK(result == functions[i % ARRAY_LENGTH(functions)](i));
        digest_u64(&digest, result);
    }
    CHECK(thread_pool_close(pool) == ARRAY_LENGTH(futures));
    digest_report(&digest, "thread pool");
}

/* ------------------------------------------------------------------------------------ */
/* Concurrent map with a lock for each stripe of buckets                                 */
/* ------------------------------------------------------------------------------------ */

#define STRIPES 4
#define STRIPE_BUCKETS 4

struct map_entry {
    struct map_entry *next;
    uint32_t key;
    int value;
};

struct map_stripe {
    pthread_mutex_t mutex;
    struct map_entry *buckets[STRIPE_BUCKETS];
    unsigned count;
};

struct striped_map {
    struct map_stripe stripes[STRIPES];
};

static void map_init(struct striped_map *map)
{
    memset(map, 0, sizeof *map);
    for (int i = 0; i < STRIPES; i++)
        must(pthread_mutex_init(&map->stripes[i].mutex, NULL));
}

/* The stripe of a key, locked, and the place of its entry. */
static struct map_entry **map_lock(struct striped_map *map, uint32_t key, struct map_stripe **stripe)
{
    uint32_t hash = hash_u32(key);
    *stripe = &map->stripes[hash % STRIPES];
    pthread_mutex_lock(&(*stripe)->mutex);
    struct map_entry **place = &(*stripe)->buckets[hash / STRIPES % STRIPE_BUCKETS];
    while (*place && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

static void map_add(struct striped_map *map, uint32_t key, int value)
{
    struct map_stripe *stripe;
    struct map_entry **place = map_lock(map, key, &stripe);
    if (!*place) {
        *place = malloc(sizeof **place);
        **place = (struct map_entry){.key = key};
        stripe->count++;
    }
    (*place)->value += value;
    pthread_mutex_unlock(&stripe->mutex);
}

static bool map_take(struct striped_map *map, uint32_t key, int *value)
{
    struct map_stripe *stripe;
    struct map_entry **place = map_lock(map, key, &stripe);
    struct map_entry *entry = *place;
    if (entry) {
        *value = entry->value;
        *place = entry->next;
        stripe->count--;
    }
    pthread_mutex_unlock(&stripe->mutex);
    free(entry);
    return entry != NULL;
}

struct map_test {
    struct striped_map map;
    atomic_uint next_worker;
};

static void *map_worker(void *argument)
{
    struct map_test *test = argument;
    unsigned worker = atomic_fetch_add_explicit(&test->next_worker, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < 20; i++)
        map_add(&test->map, (i * 7 + worker) % 20, (int)(worker + 1));
    return NULL;
}

static void test_striped_map(void)
{
    struct digest digest;
    static struct map_test test;
    pthread_t threads[WORKERS];
    digest_init(&digest);
    map_init(&test.map);
    start_all(threads, WORKERS, map_worker, &test);
    join_all(threads, WORKERS);
    for (uint32_t key = 0; key < 21; key++) {
        int value = 0;
        CHECK(map_take(&test.map, key, &value) == (key < 20));
        CHECK(key == 20 || value == 6);
        digest_int(&digest, value);
    }
    for (int i = 0; i < STRIPES; i++) {
        CHECK(test.map.stripes[i].count == 0);
        must(pthread_mutex_destroy(&test.map.stripes[i].mutex));
    }
    digest_report(&digest, "striped map");
}

/* ------------------------------------------------------------------------------------ */
/* Lock-free stack over an array: heads carry a tag against ABA                          */
/* ------------------------------------------------------------------------------------ */

#define STACK_NODES 16
#define STACK_NONE 0xffffffffu

struct lock_free_stack {
    _Atomic uint64_t head; /* tag above, index below */
    _Atomic uint32_t next[STACK_NODES];
};

static void stack_init(struct lock_free_stack *stack)
{
    atomic_init(&stack->head, STACK_NONE);
}

static uint64_t stack_head(uint64_t old, uint32_t index)
{
    return ((old >> 32) + 1) << 32 | index;
}

static void stack_push(struct lock_free_stack *stack, uint32_t index)
{
    uint64_t old = atomic_load_explicit(&stack->head, memory_order_relaxed);
    do {
        atomic_store_explicit(&stack->next[index], (uint32_t)old, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&stack->head, &old, stack_head(old, index),
                                                    memory_order_release, memory_order_relaxed));
}

static uint32_t stack_pop(struct lock_free_stack *stack)
{
    uint64_t old = atomic_load_explicit(&stack->head, memory_order_acquire);
    uint32_t index, next;
    do {
        index = (uint32_t)old;
        if (index == STACK_NONE)
            return STACK_NONE;
        next = atomic_load_explicit(&stack->next[index], memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&stack->head, &old, stack_head(old, next),
                                                    memory_order_acq_rel, memory_order_acquire));
    return index;
}

struct stack_test {
    struct lock_free_stack full, empty;
    int payload[STACK_NODES]; /* of a node: belongs to who popped it */
};

/* Moves nodes from one stack to the other, and counts in each. */
static void *stack_worker(void *argument)
{
    struct stack_test *test = argument;
    for (;;) {
        uint32_t index = stack_pop(&test->full);
        if (index == STACK_NONE)
            return NULL;
        test->payload[index] += 1;
        if (test->payload[index] < 4)
            stack_push(&test->full, index);
        else
            stack_push(&test->empty, index);
    }
}

static void test_lock_free_stack(void)
{
    struct digest digest;
    static struct stack_test test;
    pthread_t threads[WORKERS];
    digest_init(&digest);
    stack_init(&test.full);
    stack_init(&test.empty);
    for (uint32_t i = 0; i < STACK_NODES; i++) {
        test.payload[i] = (int)(i % 3);
        stack_push(&test.full, i);
    }
    start_all(threads, WORKERS, stack_worker, &test);
    join_all(threads, WORKERS);
    unsigned seen = 0;
    for (uint32_t index; (index = stack_pop(&test.empty)) != STACK_NONE;) {
        CHECK(!(seen >> index & 1));
        seen |= 1u << index;
        CHECK(test.payload[index] == 4);
    }
    CHECK(seen == (1u << STACK_NODES) - 1);
    digest_u64(&digest, seen);
    digest_report(&digest, "lock-free stack");
}

/* ------------------------------------------------------------------------------------ */
/* Cache under a readers-writer lock                                                     */
/* ------------------------------------------------------------------------------------ */

struct shared_cache {
    pthread_rwlock_t lock;
    struct probe_table table;
    unsigned computed;
};

static bool cache_look(struct shared_cache *cache, uint32_t key, int *value)
{
    must(pthread_rwlock_rdlock(&cache->lock));
    bool is_there = probe_get(&cache->table, key, value);
    must(pthread_rwlock_unlock(&cache->lock));
    return is_there;
}

static int cache_get(struct shared_cache *cache, uint32_t key)
{
    int value = 0;
    if (cache_look(cache, key, &value))
        return value;
    int computed = (int)collatz_length(key);
    must(pthread_rwlock_wrlock(&cache->lock));
    if (!probe_get(&cache->table, key, &value)) {
        probe_put(&cache->table, key, computed);
        cache->computed++;
        value = computed;
    }
    must(pthread_rwlock_unlock(&cache->lock));
    return value;
}

static void *cache_worker(void *argument)
{
    struct shared_cache *cache = argument;
    uintptr_t sum = 0;
    for (uint32_t i = 0; i < 24; i++)
        sum += (uintptr_t)cache_get(cache, i * 5 % 12);
    return (void *)sum;
}

static void test_shared_cache(void)
{
    struct digest digest;
    struct shared_cache cache = {.computed = 0};
    pthread_t threads[WORKERS];
    digest_init(&digest);
    probe_init(&cache.table, 8);
    must(pthread_rwlock_init(&cache.lock, NULL));
    start_all(threads, WORKERS, cache_worker, &cache);
    for (int i = 0; i < WORKERS; i++) {
        void *sum;
        must(pthread_join(threads[i], &sum));
        digest_u64(&digest, (uintptr_t)sum);
    }
    CHECK(cache.computed == 12 && cache.table.count == 12);
    digest_u64(&digest, cache.computed);
    must(pthread_rwlock_destroy(&cache.lock));
    free(cache.table.slots);
    digest_report(&digest, "shared cache");
}

/* ------------------------------------------------------------------------------------ */
/* Phases with a barrier, once, and memory of one's own                                  */
/* ------------------------------------------------------------------------------------ */

static pthread_once_t phases_once = PTHREAD_ONCE_INIT;
static pthread_barrier_t phases_barrier;
static atomic_int phases_prepared;
static _Thread_local int phases_mine;
static int phases_grid[2][WORKERS];

static void phases_prepare(void)
{
    atomic_fetch_add(&phases_prepared, 1);
    for (int i = 0; i < WORKERS; i++)
        phases_grid[0][i] = i + 1;
}

struct phases_worker {
    int index;
    int mine;
};

/* Every worker sums its two neighbours, in step with the others. */
static void *phases_run(void *argument)
{
    struct phases_worker *worker = argument;
    int index = worker->index;
    pthread_once(&phases_once, phases_prepare);
    for (int phase = 0; phase < 6; phase++) {
        const int *from = phases_grid[phase % 2];
        int *to = phases_grid[(phase + 1) % 2];
        to[index] = from[(index + 1) % WORKERS] + from[(index + WORKERS - 1) % WORKERS];
        phases_mine += to[index];
        pthread_barrier_wait(&phases_barrier);
    }
    worker->mine = phases_mine;
    return NULL;
}

static void test_phases(void)
{
    struct digest digest;
    struct phases_worker workers[WORKERS];
    pthread_t threads[WORKERS];
    digest_init(&digest);
    must(pthread_barrier_init(&phases_barrier, NULL, WORKERS));
    for (int i = 0; i < WORKERS; i++) {
        workers[i].index = i;
        must(pthread_create(&threads[i], NULL, phases_run, &workers[i]));
    }
    join_all(threads, WORKERS);
    for (int i = 0; i < WORKERS; i++) {
        digest_int(&digest, workers[i].mine);
        digest_int(&digest, phases_grid[0][i]);
    }
    CHECK(atomic_load(&phases_prepared) == 1);
    CHECK(phases_mine == 0);
    must(pthread_barrier_destroy(&phases_barrier));
    digest_report(&digest, "phases");
}

/* ------------------------------------------------------------------------------------ */
/* All of it                                                                             */
/* ------------------------------------------------------------------------------------ */

static const struct {
    const char *part;
    void (*run)(void);
} tests[] = {
    {"memory", test_random},
    {"memory", test_arena},
    {"memory", test_pool},
    {"containers", test_vector},
    {"containers", test_probe_table},
    {"containers", test_chain_table},
    {"containers", test_avl},
    {"containers", test_red_black},
    {"containers", test_heap},
    {"containers", test_lru},
    {"containers", test_bitset},
    {"containers", test_ring},
    {"text", test_text},
    {"text", test_rope},
    {"text", test_json},
    {"text", test_calculator},
    {"numbers", test_sort},
    {"numbers", test_big},
    {"numbers", test_matrix},
    {"numbers", test_codes},
    {"threads", test_queue},
    {"threads", test_thread_pool},
    {"threads", test_striped_map},
    {"threads", test_lock_free_stack},
    {"threads", test_shared_cache},
    {"threads", test_phases},
};

int main(void)
{
    const char *part = "";
    for (size_t i = 0; i < ARRAY_LENGTH(tests); i++) {
        if (strcmp(part, tests[i].part) != 0) {
            part = tests[i].part;
            printf("-- %s\n", part);
        }
        tests[i].run();
    }
    printf("%d checks\n", checks_done);
    return 0;
}
