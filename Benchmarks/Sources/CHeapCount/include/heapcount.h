// Counts the heap allocations of the process between two calls, by replacing the allocator of glibc.
#pragma once

#include <stddef.h>

struct heapcount {
    size_t allocations;
    // The peak of live bytes, above the live bytes at heapcount_start.
    size_t peak_bytes;
};

void heapcount_start(void);
struct heapcount heapcount_stop(void);

// Does nothing, but the compiler of the caller must assume that it reads the value.
void heapcount_consume(const void *value);
