// The Linux system calls and structures that the Glibc module of Swift lacks.
#pragma once
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>

/// accept4(2). glibc declares it only with _GNU_SOURCE, which the Glibc module of Swift does not define.
int linux_accept4(int descriptor, int flags);

/// pipe2(2), which also needs _GNU_SOURCE.
int linux_pipe2(int descriptors[2], int flags);

/// dup3(2), which also needs _GNU_SOURCE.
int linux_dup3(int descriptor, int replaced, int flags);

/// memfd_create(2): opens a file in memory that child processes do not inherit. `name` is for /proc.
int linux_open_memory_file(const char *name);

/// Gets the credentials of the process at the other end of a Unix socket (SO_PEERCRED). Returns 0, or -1 with errno
/// set.
int linux_peer_credentials(int descriptor, int *pid, unsigned int *uid, unsigned int *gid);

/// pthread_setname_np(3) for the calling thread. The name has at most 15 bytes.
void linux_name_thread(const char *name);

/// malloc_trim(3): returns all free pages of the heap to the kernel.
void linux_return_free_memory(void);

/// mallopt(3): fixes the sizes from which freed memory is returned to the kernel. By default, malloc raises them to the
/// size of the largest freed block, up to 32 MiB, and then keeps smaller blocks.
void linux_bound_free_memory(void);

struct termios;

/// Restores a terminal if this process ends by a fault (SIGSEGV, SIGABRT, a trap …) or by another signal without a
/// handler (SIGQUIT, SIGUSR1, SIGXCPU …): writes `restore` to `output` and sets the modes of `input`. The signal then
/// has its previous effect. Other signals that are ignored stay ignored.
///
/// `modes` and `restore` are copied, the latter up to 512 bytes. A process can guard one terminal.
void linux_guard_terminal(
    int input, const struct termios *modes, int output, const char *restore, size_t length);

/// Stops guarding the terminal.
void linux_release_terminal(void);

/// Returns whether the kernel considers its wall clock synchronized (adjtimex(2), which changes nothing here): 1, 0, or
/// -1 if the kernel does not report it.
int linux_clock_is_synchronized(void);
