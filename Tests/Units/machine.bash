# shellcheck shell=bash disable=SC2154
# A Debian of its own to try the units in: systemd-nspawn boots a second systemd over a copy of this machine's root that
# is made as it is written to, in memory, and is gone with it. It has no network but its loopback. Nothing of this machine
# is changed.
#   make_machine
#   boot FOLDER        FOLDER is seen inside as /mnt, and may only be read there
#   inside COMMAND…    runs as root in it, outside of all units and with all of root's powers
#   halt               what it has on its disk is kept for the next boot
#   forget_machine
#   added              the files that it has and this machine has not

machine='' nspawn='' leader=''

# What cannot be had here is said before anything is begun.
require_machine() {
    ((EUID == 0)) || cannot 'this is not root' "sudo $0 PACKAGE"
    [[ -n $(cgroups) ]] || cannot 'there is no cgroup v2' 'mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified'
    command -v systemd-nspawn >/dev/null || cannot 'systemd-nspawn is missing' 'apt-get install systemd-container'
}
cgroups() { find /sys/fs/cgroup /sys/fs/cgroup/unified -maxdepth 1 -name cgroup.controllers 2>/dev/null; }

# cannot WHAT NEXT
cannot() {
    printf 'Cannot try the units here: %s.\nNext: %s\n' "$1" "$2" >&2
    forget_machine
    trap - EXIT
    exit 69
}

make_machine() {
    machine=$(mktemp -d /run/jokesd-machine.XXXXXX)
    mount -t tmpfs -o mode=700 jokesd-machine "$machine" 2>/dev/null ||
        cannot 'this root may not mount' 'try outside of the container, or in a privileged one'
    mkdir "$machine"/{changes,work,root}
    mount -t overlay -o "lowerdir=/,upperdir=$machine/changes,workdir=$machine/work" overlay "$machine/root" 2>"$machine/log" ||
        cannot "no overlay over / ($(<"$machine/log"))" 'try on a machine whose / is an ordinary file system'
    [[ -e $machine/root/var/lib/dpkg/status ]] ||
        cannot '/var/lib/dpkg is not on the file system of /' 'try on a machine that has /var there'
    keep_packages "$machine/root"
    make_ordinary "$machine/root"
}

# Packages may be installed on this machine meanwhile: a new folder hides what becomes of the old one.
keep_packages() {
    rm -r "$1/var/lib/dpkg"
    cp --archive /var/lib/dpkg "$1/var/lib/dpkg"
}

# Takes away what this machine has and a fresh one has not, and what it would start that nobody asked for.
make_ordinary() {
    local units=$1/etc/systemd/system
    # The index of manual pages takes seconds after every installation.
    rm -f "$1/usr/sbin/policy-rc.d" "$1/var/lib/man-db/auto-update"
    rm -rf "$units"/*.wants "$units"/*.requires
    printf '%s\n' '[Unit]' 'Requires=basic.target dbus.socket' 'Wants=systemd-logind.service' \
        'After=basic.target systemd-logind.service' >"$units/try.target"
}

boot() {
    # The filter of nspawn would refuse what the unit is to refuse.
    SYSTEMD_SECCOMP=0 SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 SYSTEMD_NSPAWN_LOCK=0 \
        become_nspawn --quiet --directory="$machine/root" --machine="${machine##*/}" --register=no \
        --private-network --bind-ro="$1:/mnt" --console=pipe --kill-signal=SIGRTMIN+4 --link-journal=no \
        --boot systemd.unit=try.target systemd.show_status=no </dev/null >"$machine/console" 2>&1 &
    nspawn=$!
    until_true 'the machine had its first process' find_leader
    until_true 'its systemd answered' answers
    inside systemctl is-system-running --wait >"$machine/state" || true
}

# In a process of its own. A systemd that is there makes a scope for it; elsewhere it takes the control group that it is started in.
become_nspawn() {
    [[ ! -d /run/systemd/system ]] || exec systemd-nspawn "$@"
    local group
    group=$(dirname "$(cgroups | head -n 1)")/${machine##*/}
    mkdir --parents "$group"
    echo "$BASHPID" >"$group/cgroup.procs"
    exec systemd-nspawn --keep-unit "$@"
}

find_leader() {
    kill -0 "$nspawn" 2>/dev/null || fail 'a machine that boots' "$(<"$machine/console")"
    local child
    for child in $(<"/proc/$nspawn/task/$nspawn/children"); do
        [[ $(<"/proc/$child/comm") == systemd ]] && leader=$child
    done 2>/dev/null
    [[ -n $leader ]]
}
answers() { inside systemctl show --property=Version >/dev/null 2>&1; }

inside() {
    nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup --root -- \
        env -i --chdir=/ PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb "$@"
}

halt() {
    [[ -n $nspawn ]] || return 0
    kill -TERM "$nspawn" 2>/dev/null || true
    wait "$nspawn" 2>/dev/null || true
    nspawn='' leader=''
}

forget_machine() {
    halt
    [[ -n $machine ]] || return 0
    # Where there are both versions of control groups, nspawn has made one of each.
    find /sys/fs/cgroup -depth -type d -path "*/${machine##*/}*" -exec rmdir {} + 2>/dev/null || true
    rmdir --parents "/run/systemd/nspawn/propagate/${machine##*/}" 2>/dev/null || true
    umount --quiet "$machine/root" 2>/dev/null || true
    umount --quiet "$machine" 2>/dev/null || true
    rmdir "$machine"
}

# What was removed is there as a device 0,0; a folder that changed, like all its parents.
added() {
    local file
    find "$machine/changes" ! -type c -printf '%P\n' | grep -E '^(etc|usr|var/lib)/' | while read -r file; do
        [[ -e /$file || -L /$file ]] || printf '/%s\n' "$file"
    done | sort
}
