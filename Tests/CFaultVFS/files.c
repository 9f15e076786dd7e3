#define _GNU_SOURCE
#include "CFaultVFS.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static _Thread_local fault_file_hook current;
static _Thread_local void *current_context;

void fault_set_file_hook(fault_file_hook hook, void *context) {
    current = hook;
    current_context = context;
}

// Whether the call is refused; errno says why then.
static int is_refused(enum fault_file_call call, const char *path) {
    fault_file_hook hook = current;
    if (hook == NULL) return 0;
    // What the hook itself does is shown to nobody.
    current = NULL;
    int error = hook(current_context, call, path);
    current = hook;
    if (error == 0) return 0;
    errno = error;
    return 1;
}

static int is_descriptor_refused(enum fault_file_call call, int descriptor) {
    if (current == NULL) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    return is_refused(call, path);
}

// In a program whose tests these are, these are what libraries call too.

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
    if (is_descriptor_refused(FAULT_FILE_READ, descriptor)) return -1;
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread64(descriptor, bytes, count, offset);
}

static int open_file(const char *path, int flags, mode_t mode) {
    if (is_refused(FAULT_FILE_OPEN, path)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags, mode);
}

int rename(const char *old, const char *new) {
    if (is_refused(FAULT_FILE_RENAME, old)) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlink(const char *path) {
    if (is_refused(FAULT_FILE_REMOVE, path)) return -1;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int fsync(int descriptor) {
    if (is_descriptor_refused(FAULT_FILE_SYNC, descriptor)) return -1;
    return (int)syscall(SYS_fsync, descriptor);
}
