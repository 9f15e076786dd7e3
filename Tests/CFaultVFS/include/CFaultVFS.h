// Calls a hook of a test before each file operation and allocation of SQLite. A VFS wraps that of the system, and
// allocation methods wrap the default ones.
//
// A hook gets the calls of its own thread. This module has no state except for the hooks, so the test decides which
// calls fail.
#pragma once
#include <stdint.h>

enum fault_call {
    FAULT_OPEN,
    FAULT_DELETE,
    FAULT_ACCESS,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_TRUNCATE,
    FAULT_SYNC,
    FAULT_SIZE,
    FAULT_LOCK,
    FAULT_MAP_SHARED,
    FAULT_LOCK_SHARED,
    FAULT_ALLOCATE,
};

/// A call that is about to be made.
struct fault_request {
    enum fault_call call;
    /// The path of the file; NULL for memory and for files without a name.
    const char *path;
    /// The bytes to be written; else NULL.
    const void *bytes;
    /// The number of bytes to be read, written or allocated; the new size of a file that is truncated.
    int64_t count;
    /// The offset in the file.
    int64_t offset;
};

/// Returns SQLITE_OK (0) to make the call, or the error code for SQLite. For memory, any other code makes the
/// allocation fail. The hook must not use SQLite.
typedef int (*fault_hook)(void *context, const struct fault_request *request);

/// Makes this the VFS of all connections that are opened from now on. Returns the result code of SQLite.
int fault_vfs_install(void);

/// Sets the hook for the calls of this thread; NULL for none.
void fault_set_hook(fault_hook hook, void *context);

/// The file operations of the whole process, not only those of SQLite.
enum fault_file_call {
    FAULT_FILE_OPEN,
    FAULT_FILE_READ,
    FAULT_FILE_RENAME,
    FAULT_FILE_REMOVE,
    FAULT_FILE_SYNC,
    FAULT_FILE_WRITE,
    FAULT_FILE_TRUNCATE,
};

/// A call that is about to be made.
struct fault_file_request {
    enum fault_file_call call;
    /// The path of the file; the old path of a file that is renamed.
    const char *path;
    /// The new path of a file that is renamed; else NULL.
    const char *new_path;
    /// The bytes to be written; else NULL.
    const void *bytes;
    /// The number of bytes to be written; the new size of a file that is truncated.
    int64_t count;
    /// The offset in the file.
    int64_t offset;
};

/// Returns 0 to make the call, or the errno for the caller. FAULT_SHORT makes a write store half of its bytes. The hook
/// does not get its own calls.
#define FAULT_SHORT -1
typedef int (*fault_file_hook)(void *context, const struct fault_file_request *request);

/// Sets the hook for the calls of this thread; NULL for none. The hook gets only reads with an offset.
void fault_set_file_hook(fault_file_hook hook, void *context);
