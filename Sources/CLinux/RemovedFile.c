#define _GNU_SOURCE
#include "CLinux.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
enum { end_count = sizeof ends / sizeof ends[0] };

// Set before the handlers are installed, so that they read a complete path.
static char removed[PATH_MAX];

// Calls only async-signal-safe functions (signal-safety(7)).
static void remove_and_end(int number) {
    unlink(removed);
    // SA_RESETHAND has restored the default action, which ends the process when this returns.
    raise(number);
}

void linux_remove_on_signals(const char *path) {
    size_t length = strlen(path);
    if (length >= sizeof removed) return;
    memcpy(removed, path, length + 1);
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = SA_RESETHAND};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < end_count; i++) {
        struct sigaction before;
        // An ignored signal, as under nohup(1), does not end the process.
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(ends[i], &action, NULL);
    }
}
