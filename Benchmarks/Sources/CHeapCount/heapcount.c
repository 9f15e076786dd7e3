#include "heapcount.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>

// The malloc of the program replaces that of glibc for every library in the process, including the Swift runtime. These
// are the names of glibc's own functions.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_bool counting;
static atomic_size_t allocations;
static atomic_llong live;
static atomic_llong peak;

static void add(long long bytes) {
    long long now = atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed) + bytes;
    long long seen = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > seen
           && !atomic_compare_exchange_weak_explicit(&peak, &seen, now, memory_order_relaxed, memory_order_relaxed)) {}
}

static bool is_counting(void) {
    return atomic_load_explicit(&counting, memory_order_relaxed);
}

static void *took(void *block) {
    if (block && is_counting()) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        add((long long)malloc_usable_size(block));
    }
    return block;
}

void heapcount_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&live, 0);
    atomic_store(&peak, 0);
    atomic_store(&counting, true);
}

struct heapcount heapcount_stop(void) {
    atomic_store(&counting, false);
    return (struct heapcount){.allocations = atomic_load(&allocations), .peak_bytes = (size_t)atomic_load(&peak)};
}

void heapcount_consume(const void *value) {
    (void)value;
}

void *malloc(size_t size) {
    return took(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return took(__libc_calloc(count, size));
}

void *memalign(size_t alignment, size_t size) {
    return took(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return took(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *memory = took(__libc_memalign(alignment, size));
    if (!memory) return ENOMEM;
    *block = memory;
    return 0;
}

void *realloc(void *block, size_t size) {
    if (!is_counting()) return __libc_realloc(block, size);
    long long before = block ? (long long)malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (moved || size == 0) add(-before);
    return took(moved);
}

void free(void *block) {
    if (block && is_counting()) add(-(long long)malloc_usable_size(block));
    __libc_free(block);
}
