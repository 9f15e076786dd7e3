"""Files that are to stay as they are, or unseen; and what it may read and write."""

import errno
import os

from attempts import allowed, forbidden, state


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
