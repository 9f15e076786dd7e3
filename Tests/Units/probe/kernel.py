"""Namespaces, kernel modules, the clock, and other state of the whole machine."""

import ctypes
import errno
import os

from attempts import call, forbidden, system_call

new_user, new_mount, new_net, new_process = 0x10000000, 0x00020000, 0x40000000, 0x20000000
for flag, name in ((new_user, "user"), (new_mount, "mount"), (new_net, "network"), (new_process, "process")):
    forbidden(f"create a {name} namespace")(lambda flag=flag: call("unshare", flag))


@forbidden("clone3, whose flags a filter cannot read")
def _():
    # A size of 1 is invalid: the structure of the arguments is larger.
    system_call("clone3", None, ctypes.c_size_t(1), permitted_error=errno.EINVAL)


@forbidden("enter a namespace")
def _():
    call("setns", -1, 0, permitted_error=errno.EBADF)


@forbidden("mount a file system")
def _():
    call("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
    call("umount2", b"/tmp", 0)


forbidden("change the root folder")(lambda: os.chroot("/tmp"))


@forbidden("load a module, init_module")
def _():
    call("init_module", None, ctypes.c_ulong(0), b"", permitted_error=errno.ENOEXEC)


@forbidden("load a module, finit_module")
def _():
    system_call("finit_module", -1, b"", 0, permitted_error=errno.EBADF)


@forbidden("set the clock")
def _():
    invalid_time = (ctypes.c_long * 2)(0, 1_000_000_000)
    system_call("clock_settime", 0, invalid_time, permitted_error=errno.EINVAL)


@forbidden("set the host name")
def _():
    name = os.uname().nodename.encode()
    call("sethostname", name, ctypes.c_size_t(len(name)))


@forbidden("reboot")
def _():
    system_call("reboot", 0, 0, 0, None, permitted_error=errno.EINVAL)


@forbidden("read the kernel log")
def _():
    call("klogctl", 3, ctypes.create_string_buffer(16), 16)


@forbidden("enable swap")
def _():
    call("swapon", b"/missing", 0, permitted_error=errno.ENOENT)


@forbidden("enable process accounting")
def _():
    call("acct", b"/missing", permitted_error=errno.ENOENT)


@forbidden("load a program into the kernel, bpf")
def _():
    map_attributes = (ctypes.c_uint32 * 18)(2, 4, 4, 1)
    system_call("bpf", 0, map_attributes, ctypes.sizeof(map_attributes))


@forbidden("open a performance counter, perf_event_open")
def _():
    software_clock = ctypes.create_string_buffer(128)
    ctypes.memmove(software_clock, (ctypes.c_uint32 * 2)(1, 128), 8)
    system_call("perf_event_open", software_clock, 0, -1, -1, 0)
