#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

int linux_accept4(int descriptor, int flags) {
    return accept4(descriptor, NULL, NULL, flags);
}

int linux_pipe2(int descriptors[2], int flags) {
    return pipe2(descriptors, flags);
}

int linux_dup3(int descriptor, int replaced, int flags) {
    return dup3(descriptor, replaced, flags);
}

int linux_open_memory_file(const char *name) {
    // Since Linux 6.3, a system may refuse files that could be executed; older kernels do not know the flag.
    const unsigned int not_executable = 0x0008U;
    int file = memfd_create(name, MFD_CLOEXEC | not_executable);
    return file >= 0 || errno != EINVAL ? file : memfd_create(name, MFD_CLOEXEC);
}

int linux_peer_credentials(int descriptor, int *pid, unsigned int *uid, unsigned int *gid) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

void linux_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

void linux_return_free_memory(void) {
    malloc_trim(0);
}

void linux_bound_free_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
}

int linux_clock_is_synchronized(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    if (state < 0) return -1;
    return state != TIME_ERROR && (clock.status & STA_UNSYNC) == 0;
}
