# shellcheck shell=bash disable=SC2154
# systemd restarts a daemon that hangs or is killed. The socket stays open while the daemon is stopped or restarts.

test_stop() {
    local inode
    inode=$(in_container stat --format=%i /run/jokesd/jokesd.sock)
    save_cursor
    in_container systemctl stop jokesd.service 2>/dev/null
    assert_equal 'the service' inactive "$(in_container systemctl is-active jokesd.service)"
    in_container journalctl --sync
    assert_equal 'the log of the stop' '' \
        "$(in_container journalctl --after-cursor="$cursor" --output=cat --identifier=jokesd)"
    assert_equal 'the inode of the socket' "$inode" "$(in_container stat --format=%i /run/jokesd/jokesd.sock)"
    ctl random --quiet >/dev/null || fail 'a connection starts the stopped service' "exit code $?"
    assert_equal 'the service' active "$(in_container systemctl is-active jokesd.service)"
    in_container systemctl restart jokesd.service
    assert_equal 'the inode of the socket' "$inode" "$(in_container stat --format=%i /run/jokesd/jokesd.sock)"
    pass 'stop and restart: the daemon logs nothing, the socket stays, and a connection starts the stopped service'
}

test_kill() {
    local pid
    pid=$(main_pid)
    save_cursor
    in_container kill -KILL "$pid"
    wait_for_log 'Scheduled restart job' >/dev/null
    wait_for_log 'Started jokesd.service' >/dev/null
    assert_restarted "$pid"
    pass "SIGKILL: systemd restarts the daemon (process $pid, then $(main_pid))"
}

test_hang() {
    add_drop_in watchdog <<<$'[Service]\nWatchdogSec=3s\nTimeoutAbortSec=1s'
    in_container systemctl restart jokesd.service
    local pid line start=$SECONDS
    pid=$(main_pid)
    save_cursor
    in_container kill -STOP "$pid"
    line=$(wait_for_log 'Watchdog timeout')
    wait_for_log 'Started jokesd.service' >/dev/null
    assert_restarted "$pid"
    pass "hang: systemd kills and restarts the daemon after $((SECONDS - start)) s: ${line#*: }"
    remove_drop_in watchdog
}

test_reboot() {
    shut_down
    boot "$here"
    assert_equal 'the socket' active "$(in_container systemctl is-active jokesd.socket)"
    assert_equal 'the service' inactive "$(in_container systemctl is-active jokesd.service)"
    ctl random --quiet >/dev/null || fail 'jokesctl random succeeds' "exit code $?"
    pass "reboot: the socket listens, and the first connection starts the daemon"
}

# assert_restarted PID   checks that another process serves jokes
assert_restarted() {
    ctl random --quiet >/dev/null || fail 'jokesctl random succeeds' "exit code $?"
    [[ $(main_pid) != "$1" ]] || fail "another process than $1" 'the same process'
}
