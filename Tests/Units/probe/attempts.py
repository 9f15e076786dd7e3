"""The list of attempts, and functions that call the C library and the kernel."""

import ctypes
import os
import platform

libc = ctypes.CDLL(None, use_errno=True)
state_folder = os.environ["STATE_DIRECTORY"]
# System call numbers on x86_64 and aarch64.
SYSTEM_CALLS = {
    "bpf": (321, 280),
    "clock_settime": (227, 112),
    "reboot": (169, 142),
    "perf_event_open": (298, 241),
    "finit_module": (313, 273),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "clone3": (435, 435),
}
attempts = []


def forbidden(name):
    """Registers a function that must fail in the unit."""
    return lambda attempt: attempts.append(("forbidden", name, attempt))


def allowed(name):
    """Registers a function that must succeed in the unit."""
    return lambda attempt: attempts.append(("allowed", name, attempt))


def call(function, *arguments, permitted_error=None):
    """Calls a function of the C library. The error `permitted_error` means that the kernel permits the call."""
    result = getattr(libc, function)(*arguments)
    if result == -1 and ctypes.get_errno() != permitted_error:
        raise OSError(ctypes.get_errno(), function)
    return result


def system_call(name, *arguments, permitted_error=None):
    number = SYSTEM_CALLS[name][0 if platform.machine() == "x86_64" else 1]
    return call("syscall", ctypes.c_long(number), *arguments, permitted_error=permitted_error)
