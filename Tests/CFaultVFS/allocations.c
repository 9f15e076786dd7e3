#include <sqlite3.h>
#include <stddef.h>

#include "hook.h"

static sqlite3_mem_methods usual;

static int is_refused(int size) {
    return fault_ask((struct fault_request){.call = FAULT_ALLOCATE, .count = size}) != SQLITE_OK;
}

static void *allocate(int size) {
    return is_refused(size) ? NULL : usual.xMalloc(size);
}

static void *resize(void *memory, int size) {
    return is_refused(size) ? NULL : usual.xRealloc(memory, size);
}

// SQLite takes other methods only before its first use, which is somewhere in the tests: this runs before main.
__attribute__((constructor)) static void use_own_methods(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK) return;
    sqlite3_mem_methods own = usual;
    own.xMalloc = allocate;
    own.xRealloc = resize;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &own);
}
