"""Other processes, priorities, users and keys."""

import ctypes
import errno
import os
import signal

from attempts import call, forbidden, system_call

# Made by sandbox.bash, in the namespace of the machine.
memory_of_the_machine = 0x6A6F6B65


@forbidden("trace a process")
def _():
    attach, detach = 16, 17
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    try:
        call("ptrace", attach, child, None, None)
        os.waitpid(child, 0)
        call("ptrace", detach, child, None, None)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


forbidden("signal the first process")(lambda: os.kill(1, 0))


@forbidden("see processes of others")
def _():
    if not any(name.isdigit() and int(name) not in (os.getpid(), os.getppid()) for name in os.listdir("/proc")):
        raise OSError(errno.ENOENT, "nobody else")


@forbidden("take real-time priority")
def _():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


forbidden("go before others")(lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
forbidden("become root, or somebody else")(lambda: os.setresuid(1, 1, 1))
forbidden("change its groups")(lambda: os.setgroups([0]))


@forbidden("keep a key in the kernel")
def _():
    process_keyring = ctypes.c_int(-2)
    system_call("add_key", b"user", b"probe", b"x", ctypes.c_size_t(1), process_keyring)


@forbidden("look for the kernel's keys")
def _():
    get_id, session_keyring = 0, ctypes.c_int(-3)
    system_call("keyctl", get_id, session_keyring, 0)


@forbidden("share memory with the machine")
def _():
    call("shmget", memory_of_the_machine, ctypes.c_size_t(1), 0)
