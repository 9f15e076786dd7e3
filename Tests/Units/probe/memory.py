"""Memory and files that the service can write must not be executable."""

import ctypes
import mmap
import os

from attempts import call, forbidden, state_folder, system_call

executable = mmap.PROT_READ | mmap.PROT_EXEC


@forbidden("map writable and executable memory")
def _():
    mmap.mmap(-1, mmap.PAGESIZE, prot=executable | mmap.PROT_WRITE)


@forbidden("make written memory executable")
def _():
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    call("mprotect", ctypes.c_void_p(address), ctypes.c_size_t(mmap.PAGESIZE), executable)


@forbidden("execute an anonymous file")
def _():
    descriptor = os.memfd_create("probe")
    os.ftruncate(descriptor, mmap.PAGESIZE)
    mmap.mmap(descriptor, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=executable)


def copy_program(folder):
    """Copies /bin/true to a folder, and returns the path of the copy."""
    path = f"{folder}/true"
    with open("/bin/true", "rb") as original, open(path, "wb") as copy:
        copy.write(original.read())
    os.chmod(path, 0o700)
    return path


def run(path):
    child = os.posix_spawn(path, [path], {})
    os.waitpid(child, 0)


for folder in (state_folder, "/tmp", "/var/tmp"):

    @forbidden(f"execute a new file in {'the state folder' if folder == state_folder else folder}")
    def _(folder=folder):
        path = copy_program(folder)
        try:
            run(path)
        finally:
            os.unlink(path)


@forbidden("map a new file in the state folder as executable")
def _():
    path = copy_program(state_folder)
    descriptor = os.open(path, os.O_RDONLY)
    os.unlink(path)
    mmap.mmap(descriptor, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=executable)


@forbidden("change the personality")
def _():
    read_implies_exec = 0x0400000
    call("personality", ctypes.c_ulong(read_implies_exec))


@forbidden("set up io_uring")
def _():
    system_call("io_uring_setup", 1, ctypes.create_string_buffer(256))


@forbidden("create a userfaultfd")
def _():
    system_call("userfaultfd", 0)


@forbidden("lock memory")
def _():
    call("mlock", ctypes.create_string_buffer(1), ctypes.c_size_t(1))
