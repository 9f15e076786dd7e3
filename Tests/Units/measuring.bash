# shellcheck shell=bash disable=SC2154
# Measurements of the daemon with a full cache, and of the installed programs.

readonly joke_count=100000

test_many_jokes() {
    local memory duration
    print_export | write_file /home/alice/many.json
    run ctl import /home/alice/many.json
    assert_equal 'the exit code of jokesctl import' 0 "$status"
    memory=$(peak_memory)
    pass "import of $joke_count jokes under the unit: $memory of memory at the peak, $(thread_count) threads"
    in_container systemctl stop jokesd.service 2>/dev/null
    duration=$(measure_first_joke)
    pass "start with $joke_count jokes: ready after $(startup_time), first joke after $duration, $(peak_memory) of memory"
}

# Prints a file in the format of jokesctl export.
print_export() {
    awk -v count="$joke_count" 'BEGIN {
        print "{\"format\":\"jokesd\",\"version\":1,\"favorites\":[\n],\"hidden\":[\n],\"jokes\":["
        for (number = 1; number <= count; number++)
            printf "{\"id\":\"many:%d\",\"setup\":\"What is joke number %d about?\",\"punchline\":\"About %d.\",\"language\":\"en\",\"safety\":\"safe\",\"firstSeen\":\"2026-02-27T06:00:00Z\"}%s\n", number, number, number * 7 % 9973, (number < count ? "," : "")
        print "]}"
    }'
}

# shellcheck disable=SC2016
peak_memory() { in_container awk '/^VmHWM/ { printf "%.0f MB", $2 / 1000 }' "/proc/$(main_pid)/status"; }
# shellcheck disable=SC2016
thread_count() { in_container awk '/^Threads/ { print $2 }' "/proc/$(main_pid)/status"; }

print_measurements() {
    local program number
    echo 'Measurements:'
    for program in jokesd jokesctl jokes-tui; do
        printf '     %-10s %s bytes, libraries: %s\n' \
            "$program" "$(in_container stat --format=%s "/usr/bin/$program")" "$(linked_libraries "$program")"
    done
    write_valid_configuration fixture
    for number in 1 2 3 4 5; do
        in_container systemctl stop jokesd.service 2>/dev/null
        printf '     start %d: first joke after %s, ready after %s\n' "$number" "$(measure_first_joke)" "$(startup_time)"
    done
    printf '     exposure: %s\n' \
        "$(in_container systemd-analyze security --no-pager jokesd.service | sed -n 's/^→ Overall exposure level for //p')"
    assert_equal 'the output of systemd-analyze verify' '' \
        "$(in_container systemd-analyze verify --recursive-errors=yes --man=no jokesd.service jokesd.socket 2>&1)"
    pass 'systemd-analyze verify --recursive-errors=yes prints nothing'
}

# linked_libraries PROGRAM   prints the names in the output of ldd, without paths
linked_libraries() {
    local libraries
    libraries=$(in_container ldd "/usr/bin/$1" 2>&1 | awk '{ print $1 }' | paste -sd ' ')
    [[ $libraries == not\ * || $libraries == not ]] && libraries='none'
    printf '%s' "$libraries"
}
