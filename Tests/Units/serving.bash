# shellcheck shell=bash disable=SC2154
# A connection to the socket starts the daemon. Users outside of the group jokes have no access.

test_first_connection() {
    in_container usermod --append --groups jokes alice
    in_container systemctl enable --quiet --now jokesd.socket
    assert_equal 'the service' inactive "$(in_container systemctl is-active jokesd.service)"
    pass "enabled socket: $(in_container stat --format='%A %U:%G %n' /run/jokesd/jokesd.sock); no daemon runs"

    local duration
    duration=$(measure_first_joke)
    assert_equal 'the service' active "$(in_container systemctl is-active jokesd.service)"
    pass "first connection: the daemon is ready after $(startup_time), first joke after $duration"
}

# Prints the duration of jokesctl random from its start to its exit.
# shellcheck disable=SC2016
measure_first_joke() {
    local duration
    duration=$(as_user alice bash -c 'start=${EPOCHREALTIME/./}; jokesctl random --quiet >/dev/null && echo $((${EPOCHREALTIME/./} - start))') ||
        fail 'jokesctl random succeeds' "$duration"
    format_milliseconds "$duration"
}

# Prints the time from the start of the unit to READY=1, as systemd measures it.
startup_time() {
    format_milliseconds \
        $(($(unit_property ActiveEnterTimestampMonotonic) - $(unit_property InactiveExitTimestampMonotonic)))
}

test_group() {
    run ctl random
    assert_equal 'the exit code for alice, who is in the group jokes' 0 "$status"
    pass "alice, who is in the group jokes, gets a joke: ${output%%$'\n'*}"
    run as_user bob jokesctl random
    assert_equal 'the exit code for bob, who is not in the group jokes' 69 "$status"
    pass "bob, who is not in the group jokes, gets an error: ${output//$'\n'/ }"
}

test_status() {
    local text
    text=$(unit_property StatusText)
    assert_matches 'the status text of the service' '^[0-9,]+ jokes' "$text"
    pass "systemctl status prints: $text"
}

test_doctor() {
    run ctl doctor
    assert_equal 'the exit code of jokesctl doctor for alice' 0 "$status"
    assert_matches 'the output of jokesctl doctor' 'jokesd\.socket +listening, and enabled for the next boot' "$output"
    pass "jokesctl doctor for alice: ${output##*$'\n'}"
    run as_user bob jokesctl doctor
    assert_equal 'the exit code of jokesctl doctor for bob' 69 "$status"
    assert_matches 'the output of jokesctl doctor' 'join the group jokes: sudo usermod' "$output"
    pass "jokesctl doctor for bob: ${output##*$'\n'} The first check: ${output%%$'\n'*}"
}

# Tests the user daemon of alice, under her user systemd.
test_user_daemon() {
    local id
    id=$(in_container id --user alice)
    wait_until 'the user systemd of alice listens' in_container test -S "/run/user/$id/systemd/private"
    in_session systemctl --user --quiet enable --now jokesd.socket 2>/dev/null
    assert_equal 'the user service of alice' inactive "$(in_session systemctl --user is-active jokesd.service || true)"
    run in_session jokesctl random
    assert_equal 'the exit code of jokesctl random' 0 "$status"
    assert_equal 'the user service of alice' active "$(in_session systemctl --user is-active jokesd.service)"
    pass "user daemon: a connection to the user socket of alice starts the daemon: ${output%%$'\n'*}"

    in_session systemctl --user stop jokesd.service 2>/dev/null
    in_container test -S "/run/user/$id/jokesd/jokesd.sock" ||
        fail 'the user socket exists while the service is stopped' 'the socket does not exist'
    in_session jokesctl random --quiet >/dev/null || fail 'a connection starts the stopped service' "exit code $?"
    pass 'user daemon: the socket stays after a stop, and a connection starts the service again'
}

# Tests the timer of alice and its service, with a notify-send that saves its arguments.
test_notification() {
    local arguments=/home/alice/arguments
    write_file /usr/local/bin/notify-send <<'SCRIPT'
#!/bin/sh
printf '%s\n' "$#" "$@" >/home/alice/arguments
SCRIPT
    in_container chmod 755 /usr/local/bin/notify-send
    run in_session systemctl --user start jokes-notify.service
    assert_equal 'the exit code of the start of jokes-notify.service' 0 "$status"
    assert_matches 'the arguments of notify-send' $'^4\n--app-name=jokesd\n--\n.' "$(in_container cat "$arguments")"
    assert_equal 'the joke of the notification' "$(in_session jokesctl show last --format '{text:line}')" \
        "$(in_container sed '1,3d; 4{/^Joke$/d}' "$arguments" | paste -sd ' ')"
    pass "notification: jokes-notify.service shows: $(in_container sed 1,3d "$arguments" | paste -sd ' ')"

    in_container rm /usr/local/bin/notify-send
    run in_session systemctl --user start jokes-notify.service
    ((status != 0)) || fail 'jokes-notify.service fails without notify-send' 'it succeeded'
    in_session systemctl --user --quiet enable --now jokes-notify.timer 2>/dev/null
    assert_equal 'the timer of alice' active "$(in_session systemctl --user is-active jokes-notify.timer)"
    pass "notification: jokes-notify.timer runs next at $(in_session systemctl --user show --property=NextElapseUSecRealtime \
        --value jokes-notify.timer)"
}
# in_session COMMAND…   runs the command as alice, with the runtime folder of her user systemd
in_session() { as_user alice env XDG_RUNTIME_DIR="/run/user/$(in_container id --user alice)" "$@"; }

# test_first_connection adds alice to the group jokes; bob is never in the group.
create_users() {
    in_container useradd --create-home --shell /bin/bash alice
    in_container useradd --create-home --shell /bin/bash bob
    # Lingering starts the user systemd of alice without a login.
    in_container loginctl enable-linger alice
}
