# shellcheck shell=bash disable=SC2154
# Figures: what the daemon takes with a full cache, and what was installed.

readonly many=100000

try_many_jokes() {
    local unit_memory
    export_of_many | write /home/alice/many.json
    answer joke import /home/alice/many.json
    expect 'exit code of jokesctl import' 0 "$status"
    unit_memory=$(peak_memory)
    ok "imported $many jokes under the unit: at most $unit_memory of memory, $(threads) threads"
    inside systemctl stop jokesd.service 2>/dev/null
    local took
    took=$(first_joke)
    ok "started with $many jokes: ready after $(start_time), the first joke after $took, $(peak_memory) of memory"
}

# In the format of jokesctl export.
export_of_many() {
    awk -v many="$many" 'BEGIN {
        print "{\"format\":\"jokesd\",\"version\":1,\"favorites\":[\n],\"hidden\":[\n],\"jokes\":["
        for (number = 1; number <= many; number++)
            printf "{\"id\":\"many:%d\",\"setup\":\"What is joke number %d about?\",\"punchline\":\"About %d.\",\"language\":\"en\",\"safety\":\"safe\",\"firstSeen\":\"2026-02-27T06:00:00Z\"}%s\n", number, number, number * 7 % 9973, (number < many ? "," : "")
        print "]}"
    }'
}

# shellcheck disable=SC2016
peak_memory() { inside awk '/^VmHWM/ { printf "%.0f MB", $2 / 1000 }' "/proc/$(main_process)/status"; }
# shellcheck disable=SC2016
threads() { inside awk '/^Threads/ { print $2 }' "/proc/$(main_process)/status"; }

figures() {
    local program number
    echo 'Figures:'
    for program in jokesd jokesctl jokes-tui; do
        printf '     %-10s %s bytes, %s\n' "$program" "$(inside stat --format=%s "/usr/bin/$program")" "$(loads "$program")"
    done
    write_good_configuration tried
    for number in 1 2 3 4 5; do
        inside systemctl stop jokesd.service 2>/dev/null
        printf '     start %d: first joke after %s, ready after %s\n' "$number" "$(first_joke)" "$(start_time)"
    done
    printf '     exposure: %s\n' "$(inside systemd-analyze security --no-pager jokesd.service | sed -n 's/^→ Overall exposure level for //p')"
    expect 'what systemd-analyze verify says' '' \
        "$(inside systemd-analyze verify --recursive-errors=yes --man=no jokesd.service jokesd.socket 2>&1)"
    ok 'systemd-analyze verify --recursive-errors=yes says nothing'
}

# loads PROGRAM   in the words of ldd, without places
loads() {
    local libraries
    libraries=$(inside ldd "/usr/bin/$1" 2>&1 | awk '{ print $1 }' | paste -sd ' ')
    [[ $libraries == not\ * || $libraries == not ]] && libraries='nothing'
    printf 'loads %s' "$libraries"
}
