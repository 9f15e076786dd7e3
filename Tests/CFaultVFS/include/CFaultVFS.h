// What SQLite asks of the system, shown to a hook of the test's before it is done: files by a VFS of ours around the one
// of the system, memory by allocation methods of ours around the usual ones.
//
// The hook sees what is asked for on its own thread. It decides alone: nothing here counts, chooses or remembers.
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
    /// Of the file; NULL for memory and for files without a name.
    const char *path;
    /// What is to be written; else NULL.
    const void *bytes;
    /// Bytes to be read, written or allocated; the new size of a file that is cut off.
    int64_t count;
    /// Where in the file.
    int64_t offset;
};

/// Returns SQLITE_OK (0) to let the call be made, or the result code that SQLite is to get instead. For memory every
/// other code is a refusal. Must not use SQLite.
typedef int (*fault_hook)(void *context, const struct fault_request *request);

/// Makes this the VFS of all connections that are opened from now on. Returns SQLite's code.
int fault_vfs_install(void);

/// Shows the calls of this thread to a hook; NULL shows them to none.
void fault_set_hook(fault_hook hook, void *context);

/// What anybody asks of the system about files, past SQLite too.
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
    /// Of a file that is renamed, the old path.
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

/// Returns 0 to let the call be made, or the errno that the caller is to get instead. FAULT_SHORT lets a write store half
/// of its bytes. Calls that the hook makes are not shown to it.
#define FAULT_SHORT -1
typedef int (*fault_file_hook)(void *context, const struct fault_file_request *request);

/// Shows the calls of this thread to a hook; NULL shows them to none. Of reads, only those that name an offset are seen.
void fault_set_file_hook(fault_file_hook hook, void *context);
