"""Files that the service must not write or read, and files that it may write or read."""

import errno
import os

from attempts import allowed, forbidden, state_folder


def create_file(folder):
    path = f"{folder}/probe-file"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    os.unlink(path)


def read_path(path):
    """Reads the first byte of a file, or lists a folder."""
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb") as file:
            file.read(1)


for folder in (
    "/", "/boot", "/dev", "/dev/shm", "/etc", "/etc/jokesd", "/etc/systemd/system", "/home", "/opt", "/root", "/run", "/run/jokesd",
    "/run/lock", "/srv", "/usr", "/usr/bin", "/usr/local/bin", "/var", "/var/cache", "/var/lib", "/var/lib/private",
    "/var/log", "/var/spool",
):  # fmt: skip
    forbidden(f"write in {folder}")(lambda folder=folder: create_file(folder))

for path in (
    "/home", "/root", "/home/alice/diary", "/etc/shadow", "/tmp/outside", "/dev/net", "/proc/1/cmdline", "/proc/meminfo",
):  # fmt: skip
    forbidden(f"read {path}")(lambda path=path: read_path(path))


@forbidden("read the owner of a file")
def _():
    nobody = 65534
    if os.stat("/srv/of-alice").st_uid == nobody:
        raise OSError(errno.EOVERFLOW, "unknown owner")


@forbidden("create a control group")
def _():
    os.mkdir("/sys/fs/cgroup/probe")
    os.rmdir("/sys/fs/cgroup/probe")


@forbidden("open a kernel setting for writing")
def _():
    os.close(os.open("/proc/sys/net/ipv4/ip_forward", os.O_WRONLY))


@forbidden("set the set-user-ID bit of a file")
def _():
    path = f"{state_folder}/setuid"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o755))
    try:
        os.chmod(path, 0o4755)
    finally:
        os.unlink(path)


@forbidden("change the owner of a file")
def _():
    path = f"{state_folder}/chown"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        os.chown(path, 1, 1)
    finally:
        os.unlink(path)


@forbidden("create a device")
def _():
    path = f"{state_folder}/device"
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3))
    os.unlink(path)


@allowed("write in the state folder")
def _():
    create_file(state_folder)


for folder in ("/tmp", "/var/tmp"):
    allowed(f"write in the private {folder}")(lambda folder=folder: create_file(folder))

allowed("read the certificate authorities")(lambda: read_path("/etc/ssl/certs/ca-certificates.crt"))
allowed("read a credential")(lambda: read_path(os.environ.get("CREDENTIALS_DIRECTORY", "/etc") + "/passwd"))
