// Counts what the process takes from the heap between two calls, by standing in front of glibc's allocator.
#pragma once

#include <stddef.h>

struct heapcount {
    size_t allocations;
    // The most bytes that were live at once, above what was live at heapcount_start.
    size_t peak_bytes;
};

void heapcount_start(void);
struct heapcount heapcount_stop(void);

// Reads nothing and does nothing, which the compiler of the caller cannot know.
void heapcount_consume(const void *value);
