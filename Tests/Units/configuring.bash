# shellcheck shell=bash disable=SC2154
# A reload reads the configuration again and rejects an invalid one. A start with an invalid one fails permanently.

readonly configuration=/etc/jokesd/config.json

write_invalid_configuration() {
    write_file "$configuration" <<'TEXT'
{
  "sources": [],
  "filter": { "saef": true },
}
TEXT
}

# write_valid_configuration SOURCE   writes a configuration with one source of this name
write_valid_configuration() {
    printf '%s\n' 'Why is the test over?' 'It was a success.' | write_file /etc/jokesd/jokes
    write_file "$configuration" <<TEXT
{ "sources": [{ "name": "$1", "type": "fortune", "path": "/etc/jokesd/jokes", "safety": "safe" }] }
TEXT
}

test_reload() {
    local pid line
    pid=$(main_pid)
    write_invalid_configuration
    save_cursor
    in_container systemctl reload jokesd.service
    line=$(wait_for_log "$configuration:3")
    assert_equal 'the process of the service' "$pid" "$(main_pid)"
    ctl random --quiet >/dev/null || fail 'the old configuration serves a joke' "exit code $?"
    [[ $(ctl sources) == *jokeapi* ]] || fail 'jokesctl sources prints the old sources' "$(ctl sources)"
    pass "reload with an invalid configuration: the daemon keeps the old one and logs: $line"

    write_valid_configuration fixture
    # systemd logs the notifications of services only at this level.
    in_container systemd-analyze log-level debug
    save_cursor
    in_container systemctl reload jokesd.service
    wait_for_log "RELOADING=1.*MONOTONIC_USEC=|MONOTONIC_USEC=.*RELOADING=1" init.scope >/dev/null
    wait_for_log 'READY=1' init.scope >/dev/null
    in_container systemd-analyze log-level info
    wait_for_log 'configuration reloaded' >/dev/null
    assert_equal 'the process of the service' "$pid" "$(main_pid)"
    [[ $(ctl sources) == *fixture* ]] || fail 'jokesctl sources prints the new source' "$(ctl sources)"
    pass 'reload with a valid configuration: RELOADING=1 with MONOTONIC_USEC=, then READY=1, and the new source exists'
}

test_bad_start() {
    in_container systemctl stop jokesd.service 2>/dev/null
    write_invalid_configuration
    save_cursor
    run in_container systemctl start jokesd.service
    ((status != 0)) || fail 'a start with an invalid configuration fails' 'it succeeded'
    wait_for_log "Failed with result 'exit-code'" >/dev/null
    assert_equal 'the exit code of the daemon' 78 "$(unit_property ExecMainStatus)"
    # Before a restart, the state is "activating".
    assert_equal 'the service' failed "$(in_container systemctl is-active jokesd.service)"
    assert_equal 'the socket' active "$(in_container systemctl is-active jokesd.socket)"
    pass "start with an invalid configuration: exit code 78 and no restart: $(wait_for_log "$configuration:3")"

    save_cursor
    run ctl random
    ((status != 0)) || fail 'jokesctl random fails' "$output"
    assert_matches 'the error of jokesctl random' "$configuration:3" "$output"
    write_valid_configuration fixture
    # The failed daemon exits after two seconds. Until then, it answers calls with its error.
    wait_for_log "Failed with result 'exit-code'" >/dev/null
    ctl random --quiet >/dev/null || fail 'the next call with a valid configuration succeeds' "exit code $?"
    pass "calls during the failed start return the reason (exit code $status); with a valid configuration, the next call succeeds"
}
