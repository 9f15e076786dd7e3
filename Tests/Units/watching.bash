# shellcheck shell=bash disable=SC2034,SC2154
# How the machine is watched: what was seen is said, and what is waited for has a deadline.

readonly patience=30
# Where in the journal a step began.
mark=''

ok() { printf 'ok   %s\n' "$*"; }

# fail EXPECTED SEEN   ends it all; said once, though it may be called within $(…) and again for that
fail() {
    [[ ! -e $machine/failed ]] || exit 1
    touch "$machine/failed"
    printf 'FAIL expected: %s\n     seen: %s\n' "$1" "$2" >&2
    if [[ -n $leader ]]; then
        echo 'The end of the journal:' >&2
        inside journalctl --no-pager --lines=30 --quiet >&2 || true
    fi
    exit 1
}

# expect WHAT WANTED SEEN
expect() { [[ $3 == "$2" ]] || fail "$1: $2" "$3"; }
# expect_like WHAT PATTERN SEEN   the pattern is a regular expression
expect_like() { [[ $3 =~ $2 ]] || fail "$1, like $2" "$3"; }

# until_true WHAT COMMAND…   for what tells nobody that it has come
until_true() {
    local what=$1 deadline=$((SECONDS + patience))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || fail "$what" "nothing of it after $patience s: $*"
        sleep 0.05
    done
}

# What the journal says from here on.
begin() {
    mark=$(inside journalctl --lines=0 --show-cursor --quiet)
    mark=${mark#-- cursor: }
}
# says PATTERN [UNIT]   waits for a line of the unit since begin, and prints it
# shellcheck disable=SC2016
says() {
    inside timeout "$patience" bash -c '
        exec 3< <(exec journalctl --follow --lines=all --after-cursor="$1" --output=cat --unit="$2")
        journal=$!
        grep --max-count=1 --extended-regexp -- "$3" <&3
        found=$?
        kill "$journal"
        exit "$found"' says "$mark" "${2:-jokesd.service}" "$1" || fail "a line in the journal like $1" 'none'
}

# Of a unit: property NAME [UNIT]
property() { inside systemctl show --property="$1" --value "${2:-jokesd.service}"; }
main_process() { property MainPID; }

# as USER COMMAND…   with no more in the environment than who it is
as() {
    inside setpriv --reuid="$1" --regid="$(inside id --group "$1")" --init-groups --reset-env "${@:2}"
}
joke() { as alice jokesctl "$@"; }

# answer COMMAND…   its output, also where it fails; its exit code is in $status
status=0 said=''
answer() {
    status=0
    said=$("$@" 2>&1) || status=$?
}

# write PATH   puts its standard input into a file of the machine
write() {
    inside mkdir -p "$(dirname "$1")"
    inside tee "$1" >/dev/null
}
drop_in() { write "/etc/systemd/system/jokesd.service.d/$1.conf" && inside systemctl daemon-reload; }
remove_drop_in() { inside rm "/etc/systemd/system/jokesd.service.d/$1.conf" && inside systemctl daemon-reload; }

# milliseconds MICROSECONDS
milliseconds() { awk -v microseconds="$1" 'BEGIN { printf "%.0f ms", microseconds / 1000 }'; }
