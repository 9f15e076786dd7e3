"""Namespaces, modules, clock and whatever else is the whole machine's."""

import ctypes
import errno
import os

from attempts import call, forbidden, system_call

new_user, new_mount, new_net, new_process = 0x10000000, 0x00020000, 0x40000000, 0x20000000
for flag, name in ((new_user, "user"), (new_mount, "mount"), (new_net, "network"), (new_process, "process")):
    forbidden(f"a new {name} namespace")(lambda flag=flag: call("unshare", flag))


@forbidden("clone3, whose flags no filter can read")
def _():
    # Too small to be its arguments.
    system_call("clone3", None, ctypes.c_size_t(1), past=errno.EINVAL)


@forbidden("enter a namespace")
def _():
    call("setns", -1, 0, past=errno.EBADF)


@forbidden("mount")
def _():
    call("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
    call("umount2", b"/tmp", 0)


forbidden("change the root")(lambda: os.chroot("/tmp"))


@forbidden("load a module, init_module")
def _():
    call("init_module", None, ctypes.c_ulong(0), b"", past=errno.ENOEXEC)


@forbidden("load a module, finit_module")
def _():
    system_call("finit_module", -1, b"", 0, past=errno.EBADF)


@forbidden("set the clock")
def _():
    no_time = (ctypes.c_long * 2)(0, 1_000_000_000)
    system_call("clock_settime", 0, no_time, past=errno.EINVAL)


@forbidden("name the machine")
def _():
    name = os.uname().nodename.encode()
    call("sethostname", name, ctypes.c_size_t(len(name)))


@forbidden("restart the machine")
def _():
    system_call("reboot", 0, 0, 0, None, past=errno.EINVAL)


@forbidden("read the kernel's log")
def _():
    call("klogctl", 3, ctypes.create_string_buffer(16), 16)


@forbidden("swap")
def _():
    call("swapon", b"/nowhere", 0, past=errno.ENOENT)


@forbidden("account for processes")
def _():
    call("acct", b"/nowhere", past=errno.ENOENT)


@forbidden("load a program into the kernel, bpf")
def _():
    array_of_one = (ctypes.c_uint32 * 18)(2, 4, 4, 1)
    system_call("bpf", 0, array_of_one, ctypes.sizeof(array_of_one))


@forbidden("watch the processor, perf_event_open")
def _():
    software_clock = ctypes.create_string_buffer(128)
    ctypes.memmove(software_clock, (ctypes.c_uint32 * 2)(1, 128), 8)
    system_call("perf_event_open", software_clock, 0, -1, -1, 0)
