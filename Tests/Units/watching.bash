# shellcheck shell=bash disable=SC2034,SC2154
# Assertions, waits with a timeout, and helpers for commands in the container.

readonly timeout=30
# The journal cursor of the current step.
cursor=''

pass() { printf 'ok   %s\n' "$*"; }

# fail EXPECTED ACTUAL   prints both values and the end of the journal, and exits. A failure in $(…) also makes its
# caller fail, so only the first call prints.
fail() {
    [[ ! -e $container/failed ]] || exit 1
    touch "$container/failed"
    printf 'FAIL expected: %s\n     actual: %s\n' "$1" "$2" >&2
    if [[ -n $leader ]]; then
        echo 'The end of the journal:' >&2
        in_container journalctl --no-pager --lines=30 --quiet >&2 || true
    fi
    exit 1
}

# assert_equal NAME EXPECTED ACTUAL
assert_equal() { [[ $3 == "$2" ]] || fail "$1: $2" "$3"; }
# assert_matches NAME PATTERN ACTUAL   PATTERN is a regular expression
assert_matches() { [[ $3 =~ $2 ]] || fail "$1 matches $2" "$3"; }

# wait_until CLAIM COMMAND…   repeats the command until it succeeds
wait_until() {
    local claim=$1 deadline=$((SECONDS + timeout))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || fail "$claim" "timed out after $timeout s: $*"
        sleep 0.05
    done
}

# Saves the current journal cursor. wait_for_log reads from there.
save_cursor() {
    cursor=$(in_container journalctl --lines=0 --show-cursor --quiet)
    cursor=${cursor#-- cursor: }
}
# wait_for_log PATTERN [UNIT]   waits for a line of the unit after the saved cursor, and prints it
# shellcheck disable=SC2016
wait_for_log() {
    in_container timeout "$timeout" bash -c '
        exec 3< <(exec journalctl --follow --lines=all --after-cursor="$1" --output=cat --unit="$2")
        journal=$!
        grep --max-count=1 --extended-regexp -- "$3" <&3
        found=$?
        kill "$journal"
        exit "$found"' wait_for_log "$cursor" "${2:-jokesd.service}" "$1" || fail "a journal line that matches $1" 'none'
}

# unit_property NAME [UNIT]
unit_property() { in_container systemctl show --property="$1" --value "${2:-jokesd.service}"; }
main_pid() { unit_property MainPID; }

# as_user USER COMMAND…   runs the command as a user, with a minimal environment
as_user() {
    in_container setpriv --reuid="$1" --regid="$(in_container id --group "$1")" --init-groups --reset-env "${@:2}"
}
# Runs jokesctl as alice.
ctl() { as_user alice jokesctl "$@"; }

# run COMMAND…   sets $output and $status, and never fails
status=0 output=''
run() {
    status=0
    output=$("$@" 2>&1) || status=$?
}

# write_file PATH   writes standard input to a file in the container
write_file() {
    in_container mkdir -p "$(dirname "$1")"
    in_container tee "$1" >/dev/null
}
# add_drop_in NAME   writes standard input to a drop-in of jokesd.service
add_drop_in() { write_file "/etc/systemd/system/jokesd.service.d/$1.conf" && in_container systemctl daemon-reload; }
remove_drop_in() { in_container rm "/etc/systemd/system/jokesd.service.d/$1.conf" && in_container systemctl daemon-reload; }

# format_milliseconds MICROSECONDS
format_milliseconds() { awk -v microseconds="$1" 'BEGIN { printf "%.0f ms", microseconds / 1000 }'; }
