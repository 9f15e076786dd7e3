#!/usr/bin/python3 -B
"""Tries what a service may want to do, each thing in a child of its own, and says how it went.

    probe.py    prints a line for each: what it should be in the unit, what was tried, and what came of it

What came of it is "done", or the name of the error. Nothing is changed that outlives the child: where a call could do
harm, its arguments are such that the kernel refuses them, with an error of its own, once it has let the caller in.
"""

import ctypes
import errno
import mmap
import os
import platform
import signal
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
state = os.environ.get("STATE_DIRECTORY", "/var/lib/jokesd-probe")
# x86_64, aarch64
numbers = {
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
memory_of_the_machine = 0x6A6F6B65
attempts = []


def forbidden(name):
    return lambda attempt: attempts.append(("forbidden", name, attempt))


def allowed(name):
    return lambda attempt: attempts.append(("allowed", name, attempt))


def call(function, *arguments, past=None):
    """Calls a function of the C library; the error `past` tells that the kernel had let the caller in."""
    result = getattr(libc, function)(*arguments)
    if result == -1 and ctypes.get_errno() != past:
        raise OSError(ctypes.get_errno(), function)
    return result


def system_call(name, *arguments, past=None):
    number = numbers[name][0 if platform.machine() == "x86_64" else 1]
    return call("syscall", ctypes.c_long(number), *arguments, past=past)


def write_into(folder):
    path = f"{folder}/was-here"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    os.unlink(path)


def see(path):
    """Reads of a file, or lists a folder."""
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb") as file:
            file.read(1)


def in_child(attempt):
    """Calls it in a forked child. What it raises is passed on by its number."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 0
        try:
            attempt()
        except OSError as error:
            code = error.errno
        os.write(writer, bytes([code]))
        os._exit(0)
    os.close(writer)
    answer = os.read(reader, 1)
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if not answer:
        return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "no answer"
    return "done" if answer[0] == 0 else errno.errorcode.get(answer[0], str(answer[0]))


# MARK: Files

for place in (
    "/", "/boot", "/dev", "/dev/shm", "/etc", "/etc/jokesd", "/etc/systemd/system", "/home", "/opt", "/root", "/run", "/run/jokesd",
    "/run/lock", "/srv", "/usr", "/usr/bin", "/usr/local/bin", "/var", "/var/cache", "/var/lib", "/var/lib/private",
    "/var/log", "/var/spool",
):  # fmt: skip
    forbidden(f"write in {place}")(lambda place=place: write_into(place))

for path in (
    "/home", "/root", "/home/alice/diary", "/etc/shadow", "/tmp/of-the-machine", "/dev/net", "/proc/1/cmdline", "/proc/meminfo",
):  # fmt: skip
    forbidden(f"read {path}")(lambda path=path: see(path))


@forbidden("learn whose a file is")
def _():
    nobody = 65534
    if os.stat("/srv/of-alice").st_uid == nobody:
        raise OSError(errno.EOVERFLOW, "somebody's")


@forbidden("make a control group")
def _():
    os.mkdir("/sys/fs/cgroup/was-here")
    os.rmdir("/sys/fs/cgroup/was-here")


@forbidden("open a kernel setting to write")
def _():
    os.close(os.open("/proc/sys/net/ipv4/ip_forward", os.O_WRONLY))


@forbidden("make a file that runs as its owner")
def _():
    path = f"{state}/setuid"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o755))
    try:
        os.chmod(path, 0o4755)
    finally:
        os.unlink(path)


@forbidden("give a file away")
def _():
    path = f"{state}/given"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        os.chown(path, 1, 1)
    finally:
        os.unlink(path)


@forbidden("make a device")
def _():
    path = f"{state}/device"
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3))
    os.unlink(path)


@allowed("write in the state folder")
def _():
    write_into(state)


for place in ("/tmp", "/var/tmp"):
    allowed(f"write in {place}, which is its own")(lambda place=place: write_into(place))

allowed("read the authorities behind https")(lambda: see("/etc/ssl/certs/ca-certificates.crt"))
allowed("read a credential")(lambda: see(os.environ.get("CREDENTIALS_DIRECTORY", "/etc") + "/passwd"))

# MARK: Memory and code

executable = mmap.PROT_READ | mmap.PROT_EXEC


@forbidden("map memory to write and run")
def _():
    mmap.mmap(-1, mmap.PAGESIZE, prot=executable | mmap.PROT_WRITE)


@forbidden("make written memory run")
def _():
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    call("mprotect", ctypes.c_void_p(address), ctypes.c_size_t(mmap.PAGESIZE), executable)


@forbidden("run from an anonymous file")
def _():
    descriptor = os.memfd_create("probe")
    os.ftruncate(descriptor, mmap.PAGESIZE)
    mmap.mmap(descriptor, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=executable)


def copy_of_true(folder):
    path = f"{folder}/true"
    with open("/bin/true", "rb") as original, open(path, "wb") as copy:
        copy.write(original.read())
    os.chmod(path, 0o700)
    return path


def run(path):
    status = os.posix_spawn(path, [path], {})
    os.waitpid(status, 0)


for place in (state, "/tmp", "/var/tmp"):

    @forbidden(f"run what was written in {'the state folder' if place == state else place}")
    def _(place=place):
        path = copy_of_true(place)
        try:
            run(path)
        finally:
            os.unlink(path)


@forbidden("map what was written in the state folder to run")
def _():
    path = copy_of_true(state)
    descriptor = os.open(path, os.O_RDONLY)
    os.unlink(path)
    mmap.mmap(descriptor, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=executable)


@forbidden("take another personality")
def _():
    read_implies_exec = 0x0400000
    call("personality", ctypes.c_ulong(read_implies_exec))


@forbidden("io_uring")
def _():
    system_call("io_uring_setup", 1, ctypes.create_string_buffer(256))


@forbidden("userfaultfd")
def _():
    system_call("userfaultfd", 0)


@forbidden("lock memory")
def _():
    call("mlock", ctypes.create_string_buffer(1), ctypes.c_size_t(1))


# MARK: Other processes


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


# MARK: Sockets

for family in ("AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
    kind = socket.SOCK_SEQPACKET if family == "AF_ALG" else socket.SOCK_STREAM if family == "AF_VSOCK" else socket.SOCK_RAW
    forbidden(f"a socket of {family}")(lambda family=family, kind=kind: socket.socket(getattr(socket, family), kind).close())


@forbidden("raw packets of IP")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


@forbidden("serve a port of root's")
def _():
    with socket.socket(socket.AF_INET) as server:
        server.bind(("127.0.0.1", 80))


for family in ("AF_UNIX", "AF_INET", "AF_INET6"):
    for kind in ("SOCK_STREAM", "SOCK_DGRAM"):
        allowed(f"a socket of {family}, {kind}")(
            lambda family=family, kind=kind: socket.socket(getattr(socket, family), getattr(socket, kind)).close()
        )


@allowed("a connection over IP")
def _():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


# MARK: The kernel and the machine

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


if __name__ == "__main__":
    for expectation, name, attempt in attempts:
        print(expectation, name, in_child(attempt), sep="\t")
    sys.stdout.flush()
