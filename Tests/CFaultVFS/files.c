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
static int is_refused(struct fault_file_request request) {
    fault_file_hook hook = current;
    if (hook == NULL) return 0;
    // Calls that the hook makes are not shown to it.
    current = NULL;
    int error = hook(current_context, &request);
    current = hook;
    if (error == 0) return 0;
    if (error == FAULT_SHORT) return FAULT_SHORT;
    errno = error;
    return 1;
}

static int is_descriptor_refused(int descriptor, struct fault_file_request request) {
    if (current == NULL) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    request.path = path;
    return is_refused(request);
}

// In a program whose tests these are, these are what libraries call too.

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
    if (is_descriptor_refused(descriptor, (struct fault_file_request){.call = FAULT_FILE_READ})) return -1;
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread64(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    struct fault_file_request request = {
        .call = FAULT_FILE_WRITE, .bytes = bytes, .count = (int64_t)count, .offset = offset};
    int refused = is_descriptor_refused(descriptor, request);
    if (refused == FAULT_SHORT) count = (count + 1) / 2;
    else if (refused) return -1;
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    off_t offset = current == NULL ? -1 : lseek(descriptor, 0, SEEK_CUR);
    // Also for pipes.
    if (offset < 0) return syscall(SYS_write, descriptor, bytes, count);
    ssize_t written = pwrite64(descriptor, bytes, count, offset);
    if (written > 0) lseek(descriptor, offset + written, SEEK_SET);
    return written;
}

int ftruncate64(int descriptor, off_t size) {
    struct fault_file_request request = {.call = FAULT_FILE_TRUNCATE, .count = size};
    if (is_descriptor_refused(descriptor, request)) return -1;
    return (int)syscall(SYS_ftruncate, descriptor, size);
}

int ftruncate(int descriptor, off_t size) {
    return ftruncate64(descriptor, size);
}

int fdatasync(int descriptor) {
    if (is_descriptor_refused(descriptor, (struct fault_file_request){.call = FAULT_FILE_SYNC})) return -1;
    return (int)syscall(SYS_fdatasync, descriptor);
}

static int open_file(const char *path, int flags, mode_t mode) {
    if (is_refused((struct fault_file_request){.call = FAULT_FILE_OPEN, .path = path})) return -1;
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
    struct fault_file_request request = {.call = FAULT_FILE_RENAME, .path = old, .new_path = new};
    if (is_refused(request)) return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlink(const char *path) {
    if (is_refused((struct fault_file_request){.call = FAULT_FILE_REMOVE, .path = path})) return -1;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int fsync(int descriptor) {
    if (is_descriptor_refused(descriptor, (struct fault_file_request){.call = FAULT_FILE_SYNC})) return -1;
    return (int)syscall(SYS_fsync, descriptor);
}
