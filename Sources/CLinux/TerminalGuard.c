#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT};
enum { fault_count = sizeof faults / sizeof faults[0] };

// Written before the handlers are there and after they are gone, so that a handler finds it whole.
static struct {
    int input, output;
    struct termios modes;
    char farewell[512];
    size_t length;
} guarded;
static volatile sig_atomic_t is_guarding;
static struct sigaction before[fault_count];
// For a fault that is an overflow of the stack.
static char spare_stack[65536];

// Only what signal-safety(7) allows.
static void give_back(int number) {
    int code = errno;
    if (is_guarding) {
        is_guarding = 0;
        ssize_t written = write(guarded.output, guarded.farewell, guarded.length);
        (void)written;
        tcsetattr(guarded.input, TCSANOW, &guarded.modes);
    }
    for (int i = 0; i < fault_count; i++) {
        if (faults[i] == number) sigaction(number, &before[i], NULL);
    }
    // It comes when this has returned, to whoever had it before: the state that a core shows is that of the fault.
    raise(number);
    errno = code;
}

void linux_guard_terminal(
    int input, const struct termios *modes, int output, const char *farewell, size_t length) {
    linux_release_terminal();
    guarded.input = input;
    guarded.output = output;
    guarded.modes = *modes;
    guarded.length = length < sizeof guarded.farewell ? length : sizeof guarded.farewell;
    memcpy(guarded.farewell, farewell, guarded.length);

    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
        stack = (stack_t){.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
        sigaltstack(&stack, NULL);
    }
    // All others wait, SIGTTOU too, which would stop a process that is not in the foreground.
    struct sigaction action = {.sa_handler = give_back, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < fault_count; i++) {
        sigaction(faults[i], NULL, &before[i]);
        // Who started the process has it go on where somebody sends this; no fault of its own is told by it.
        if (faults[i] == SIGQUIT && before[i].sa_handler == SIG_IGN) continue;
        sigaction(faults[i], &action, NULL);
    }
    is_guarding = 1;
}

void linux_release_terminal(void) {
    if (!is_guarding) return;
    is_guarding = 0;
    for (int i = 0; i < fault_count; i++) sigaction(faults[i], &before[i], NULL);
}
