"""Other processes, priorities, user IDs and kernel keys."""

import ctypes
import errno
import os
import signal

from attempts import call, forbidden, system_call

# sandbox.bash creates this shared memory in the IPC namespace of the container.
SHARED_MEMORY_KEY = 0x6A6F6B65


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


forbidden("send a signal to process 1")(lambda: os.kill(1, 0))


@forbidden("list processes of other users")
def _():
    if not any(name.isdigit() and int(name) not in (os.getpid(), os.getppid()) for name in os.listdir("/proc")):
        raise OSError(errno.ENOENT, "no other process")


@forbidden("set a real-time priority")
def _():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


forbidden("raise the process priority")(lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
forbidden("change the user ID")(lambda: os.setresuid(1, 1, 1))
forbidden("change the groups")(lambda: os.setgroups([0]))


@forbidden("add a key to a kernel keyring")
def _():
    process_keyring = ctypes.c_int(-2)
    system_call("add_key", b"user", b"probe", b"x", ctypes.c_size_t(1), process_keyring)


@forbidden("read the ID of a kernel keyring")
def _():
    get_id, session_keyring = 0, ctypes.c_int(-3)
    system_call("keyctl", get_id, session_keyring, 0)


@forbidden("open shared memory of the container")
def _():
    call("shmget", SHARED_MEMORY_KEY, ctypes.c_size_t(1), 0)
