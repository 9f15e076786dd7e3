#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// All signals of signal(7) that end a process, except SIGKILL and those that the screen handles. Faults come first.
static const int ends[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
    SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
};
enum { fault_count = 7, end_count = sizeof ends / sizeof ends[0] };

// Changed only while no handler is installed, so that handlers read complete values.
static struct {
    int input, output;
    struct termios modes;
    char restore[512];
    size_t length;
} guarded;
static volatile sig_atomic_t is_guarding;
static struct sigaction before[end_count];
// The signal stack for a stack overflow.
static char spare_stack[65536];

// Calls only async-signal-safe functions (signal-safety(7)).
static void restore_terminal(int number) {
    int code = errno;
    if (is_guarding) {
        is_guarding = 0;
        ssize_t written = write(guarded.output, guarded.restore, guarded.length);
        (void)written;
        tcsetattr(guarded.input, TCSANOW, &guarded.modes);
    }
    for (int i = 0; i < end_count; i++) {
        if (ends[i] == number) sigaction(number, &before[i], NULL);
    }
    // The previous handler gets the signal when this one returns, so a core dump shows the state of the fault.
    raise(number);
    errno = code;
}

void linux_guard_terminal(
    int input, const struct termios *modes, int output, const char *restore, size_t length) {
    linux_release_terminal();
    guarded.input = input;
    guarded.output = output;
    guarded.modes = *modes;
    guarded.length = length < sizeof guarded.restore ? length : sizeof guarded.restore;
    memcpy(guarded.restore, restore, guarded.length);

    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
        stack = (stack_t){.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
        sigaltstack(&stack, NULL);
    }
    // Blocks all other signals, including SIGTTOU, which would stop a process in the background.
    struct sigaction action = {.sa_handler = restore_terminal, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < end_count; i++) {
        sigaction(ends[i], NULL, &before[i]);
        // The parent process chose to ignore this signal, and no fault raises it.
        if (i >= fault_count && before[i].sa_handler == SIG_IGN) continue;
        sigaction(ends[i], &action, NULL);
    }
    is_guarding = 1;
}

void linux_release_terminal(void) {
    if (!is_guarding) return;
    is_guarding = 0;
    for (int i = 0; i < end_count; i++) sigaction(ends[i], &before[i], NULL);
}
