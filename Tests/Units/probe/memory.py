"""Memory and files that are written may not be run."""

import ctypes
import mmap
import os

from attempts import call, forbidden, state, system_call

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
