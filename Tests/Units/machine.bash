# shellcheck shell=bash disable=SC2154
# The container of the tests. systemd-nspawn boots a second systemd on an overlay of the root file system of the host.
# All changes stay in memory, and remove_container discards them. The container has only a loopback network.
#   create_container
#   boot FOLDER           boots with FOLDER as /mnt, read-only
#   in_container COMMAND… runs the command as root, outside of all units and with all capabilities
#   shut_down             keeps the changed files for the next boot
#   remove_container
#   list_added_files      prints the files that the host does not have

# The folder of the container, the process of systemd-nspawn, and process 1 of the container.
container='' nspawn='' leader=''

# Checks what systemd-nspawn needs, before any change.
check_requirements() {
    ((EUID == 0)) || unavailable 'you are not root' "Run: sudo $0 PACKAGE"
    [[ -n $(find_cgroups) ]] || unavailable 'no cgroup v2 is mounted' 'Run: mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified'
    command -v systemd-nspawn >/dev/null ||
        unavailable 'systemd-nspawn is not installed' 'Run: apt-get install systemd-container'
}
find_cgroups() { find /sys/fs/cgroup /sys/fs/cgroup/unified -maxdepth 1 -name cgroup.controllers 2>/dev/null; }

# unavailable REASON HINT   exits because the host cannot run the tests
unavailable() {
    printf 'Tests/Units/try: cannot create the container: %s\n%s\n' "$1" "$2" >&2
    remove_container
    trap - EXIT
    exit 69
}

create_container() {
    container=$(mktemp -d /run/jokesd-machine.XXXXXX)
    mount -t tmpfs -o mode=700 jokesd-machine "$container" 2>/dev/null ||
        unavailable 'root has no permission to mount' 'Run the tests on a host, or in a privileged container.'
    mkdir "$container"/{changes,work,root}
    mount -t overlay -o "lowerdir=/,upperdir=$container/changes,workdir=$container/work" overlay "$container/root" \
        2>"$container/log" ||
        unavailable "no overlay of / is possible ($(<"$container/log"))" 'Use a host with an ordinary file system at /.'
    [[ -e $container/root/var/lib/dpkg/status ]] ||
        unavailable '/var/lib/dpkg is not on the file system of /' 'Use a host with /var on the file system of /.'
    copy_package_database "$container/root"
    reset_configuration "$container/root"
}

# Copies the package database, because an installation on the host may change its files during the tests.
copy_package_database() {
    rm -r "$1/var/lib/dpkg"
    cp --archive /var/lib/dpkg "$1/var/lib/dpkg"
}

# Removes settings that a fresh Debian does not have, and disables all units of the host.
reset_configuration() {
    local units=$1/etc/systemd/system
    # Without this removal, each installation updates the index of manual pages, which takes seconds.
    rm -f "$1/usr/sbin/policy-rc.d" "$1/var/lib/man-db/auto-update"
    rm -rf "$units"/*.wants "$units"/*.requires
    printf '%s\n' '[Unit]' 'Requires=basic.target dbus.socket' 'Wants=systemd-logind.service' \
        'After=basic.target systemd-logind.service' >"$units/test.target"
}

boot() {
    # Without SYSTEMD_SECCOMP=0, the filter of nspawn refuses calls before the filter of the unit can refuse them.
    SYSTEMD_SECCOMP=0 SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 SYSTEMD_NSPAWN_LOCK=0 \
        exec_nspawn --quiet --directory="$container/root" --machine="${container##*/}" --register=no \
        --private-network --bind-ro="$1:/mnt" --console=pipe --kill-signal=SIGRTMIN+4 --link-journal=no \
        --boot systemd.unit=test.target systemd.show_status=no </dev/null >"$container/console" 2>&1 &
    nspawn=$!
    wait_until 'process 1 of the container runs' find_leader
    wait_until 'systemd in the container responds' systemd_responds
    in_container systemctl is-system-running --wait >"$container/state" || true
}

# Replaces the current process with systemd-nspawn. If the host runs systemd, systemd creates a scope for the container.
# Otherwise, the container uses the control group of the current process.
exec_nspawn() {
    [[ ! -d /run/systemd/system ]] || exec systemd-nspawn "$@"
    local group
    group=$(dirname "$(find_cgroups | head -n 1)")/${container##*/}
    mkdir --parents "$group"
    echo "$BASHPID" >"$group/cgroup.procs"
    exec systemd-nspawn --keep-unit "$@"
}

find_leader() {
    kill -0 "$nspawn" 2>/dev/null || fail 'the container boots' "$(<"$container/console")"
    local child
    for child in $(<"/proc/$nspawn/task/$nspawn/children"); do
        [[ $(<"/proc/$child/comm") == systemd ]] && leader=$child
    done 2>/dev/null
    [[ -n $leader ]]
}
systemd_responds() { in_container systemctl show --property=Version >/dev/null 2>&1; }

# The command joins the control group of systemd, because logind refuses logins of processes outside of the container.
in_container() (
    echo "$BASHPID" >"$(dirname "$(find_cgroups | head -n 1)")$(sed -n 's/^0:://p' "/proc/$leader/cgroup")/cgroup.procs"
    exec nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup --root -- \
        env -i --chdir=/ PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb "$@"
)

shut_down() {
    [[ -n $nspawn ]] || return 0
    kill -TERM "$nspawn" 2>/dev/null || true
    wait "$nspawn" 2>/dev/null || true
    nspawn='' leader=''
}

remove_container() {
    shut_down
    [[ -n $container ]] || return 0
    # On a host with cgroup v1 and v2, nspawn creates a control group in each hierarchy.
    find /sys/fs/cgroup -depth -type d -path "*/${container##*/}*" -exec rmdir {} + 2>/dev/null || true
    rmdir --parents "/run/systemd/nspawn/propagate/${container##*/}" 2>/dev/null || true
    umount --quiet "$container/root" 2>/dev/null || true
    umount --quiet "$container" 2>/dev/null || true
    rmdir "$container"
}

# In the upper folder of the overlay, a character device 0,0 marks a removed file. The parents of changed files also
# exist there.
list_added_files() {
    local file
    find "$container/changes" ! -type c -printf '%P\n' | grep -E '^(etc|usr|var/lib)/' | while read -r file; do
        [[ -e /$file || -L /$file ]] || printf '/%s\n' "$file"
    done | sort
}
