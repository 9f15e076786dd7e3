// The Linux system calls and structures that Swift's Glibc module leaves out.
#pragma once
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>

/// accept4(2): glibc declares it only with _GNU_SOURCE, which Swift's own module is built without.
int linux_accept4(int descriptor, int flags);

/// pipe2(2), likewise.
int linux_pipe2(int descriptors[2], int flags);

/// The credentials of the process at the other end of a Unix socket, SO_PEERCRED. 0, or -1 with errno set.
int linux_peer_credentials(int descriptor, int *pid, unsigned int *uid, unsigned int *gid);

/// pthread_setname_np(3) for the calling thread; the name has at most 15 bytes.
void linux_name_thread(const char *name);

/// wcwidth(3) by the current locale: columns of one code point, -1 where it is not printable.
int linux_wcwidth(unsigned int codePoint);

/// malloc_trim(3): gives the kernel back what has been freed, from the ends and from within the heap.
void linux_return_free_memory(void);

/// mallopt(3): fixes the thresholds from which memory goes back to the kernel when it is freed. Left to itself, malloc raises
/// them with the largest block that was freed, to 32 MiB, and then keeps what lies below.
void linux_bound_free_memory(void);

struct termios;

/// Has a terminal given back where this process ends by its own fault (SIGSEGV, SIGABRT, a trap …) or by another signal
/// that nobody watches for (SIGQUIT, SIGUSR1, SIGXCPU …): the farewell is written to `output`, and `input` gets these modes.
/// The process then ends as it would have. One of the others that is ignored stays so.
///
/// Both are copied; a farewell of more than 512 bytes is cut off. One terminal in a process.
void linux_guard_terminal(
    int input, const struct termios *modes, int output, const char *farewell, size_t length);

/// Ends that.
void linux_release_terminal(void);

/// Removes the file at the path if SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU or SIGXFSZ ends this process. The process
/// then ends as it would have. Signals that are ignored or have a handler are left alone.
///
/// The path is copied; one of PATH_MAX bytes or more has no effect, since no such file can be opened. Call it once in a
/// process.
void linux_remove_on_signals(const char *path);

/// Whether the kernel calls its wall clock synchronised (adjtimex(2), which changes nothing here): 1 or 0, or -1 where it
/// does not say.
int linux_clock_is_synchronized(void);
