#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

#include "hook.h"

// A file of ours; the one that it stands for lies behind it, in the same piece of memory.
struct file {
    sqlite3_file base;
    const char *path;
};

static sqlite3_vfs *system_vfs;

static struct file *ours(sqlite3_file *file) {
    return (struct file *)file;
}

static sqlite3_file *real(sqlite3_file *file) {
    return (sqlite3_file *)(ours(file) + 1);
}

#define ASK(file, ...)                                                                        \
    do {                                                                                      \
        int code = fault_ask((struct fault_request){.path = ours(file)->path, __VA_ARGS__});  \
        if (code != SQLITE_OK) return code;                                                   \
    } while (0)

// MARK: Files

static int close_file(sqlite3_file *file) {
    return real(file)->pMethods->xClose(real(file));
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    ASK(file, .call = FAULT_READ, .count = count, .offset = offset);
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    ASK(file, .call = FAULT_WRITE, .bytes = bytes, .count = count, .offset = offset);
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    ASK(file, .call = FAULT_TRUNCATE, .count = size);
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
    ASK(file, .call = FAULT_SYNC);
    return real(file)->pMethods->xSync(real(file), flags);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
    ASK(file, .call = FAULT_SIZE);
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
    ASK(file, .call = FAULT_LOCK);
    return real(file)->pMethods->xLock(real(file), level);
}

// To let go of a lock cannot fail in a way that SQLite could do anything about.
static int unlock_file(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *is_reserved) {
    return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}

static int device_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

// MARK: Memory that connections share

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    ASK(file, .call = FAULT_MAP_SHARED, .count = size);
    return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
    if (flags & SQLITE_SHM_LOCK) ASK(file, .call = FAULT_LOCK_SHARED, .offset = offset);
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void order_shared(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}

static int unmap_shared(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

// Version 2: files are not mapped into memory, so that every read is seen.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = order_shared,
    .xShmUnmap = unmap_shared,
};

// MARK: The file system

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    // Without methods there is nothing to close.
    file->pMethods = NULL;
    ours(file)->path = path;
    ASK(file, .call = FAULT_OPEN);
    memset(real(file), 0, (size_t)system_vfs->szOsFile);
    int code = system_vfs->xOpen(system_vfs, path, real(file), flags, given);
    if (real(file)->pMethods != NULL) file->pMethods = &methods;
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    int code = fault_ask((struct fault_request){.call = FAULT_DELETE, .path = path});
    return code == SQLITE_OK ? system_vfs->xDelete(system_vfs, path, syncs_folder) : code;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *may) {
    (void)vfs;
    int code = fault_ask((struct fault_request){.call = FAULT_ACCESS, .path = path});
    return code == SQLITE_OK ? system_vfs->xAccess(system_vfs, path, flags, may) : code;
}

static sqlite3_vfs own_vfs;

static void prepare(void) {
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) return;
    // The other functions of the system's do not look at the VFS that they are called for.
    own_vfs = *system_vfs;
    own_vfs.pNext = NULL;
    own_vfs.zName = "faults";
    own_vfs.szOsFile = (int)sizeof(struct file) + system_vfs->szOsFile;
    own_vfs.xOpen = open_file;
    own_vfs.xDelete = delete_file;
    own_vfs.xAccess = access_file;
}

int fault_vfs_install(void) {
    if (system_vfs == NULL) prepare();
    return system_vfs == NULL ? SQLITE_ERROR : sqlite3_vfs_register(&own_vfs, 1);
}
