# shellcheck shell=bash disable=SC2154
# A configuration is read again on reload, and a bad one changes nothing; started with a bad one, the daemon ends for good.

readonly configuration=/etc/jokesd/config.json

write_bad_configuration() {
    write "$configuration" <<'TEXT'
{
  "sources": [],
  "filter": { "saef": true },
}
TEXT
}

# With a source of its own, whose name is given.
write_good_configuration() {
    printf '%s\n' 'Why is the try over?' 'It was a success.' | write /etc/jokesd/jokes
    write "$configuration" <<TEXT
{ "sources": [{ "name": "$1", "type": "fortune", "path": "/etc/jokesd/jokes", "safety": "safe" }] }
TEXT
}

try_reload() {
    local process line
    process=$(main_process)
    write_bad_configuration
    begin
    inside systemctl reload jokesd.service
    line=$(says "$configuration:3")
    expect 'the process' "$process" "$(main_process)"
    joke random --quiet >/dev/null || fail 'a joke is told by the old configuration' "exit code $?"
    [[ $(joke sources) == *jokeapi* ]] || fail 'the old sources' "$(joke sources)"
    ok "reloaded with a bad configuration, it keeps the old one and says: $line"

    write_good_configuration tried
    # Only then does systemd say what it is told.
    inside systemd-analyze log-level debug
    begin
    inside systemctl reload jokesd.service
    says "RELOADING=1.*MONOTONIC_USEC=|MONOTONIC_USEC=.*RELOADING=1" init.scope >/dev/null
    says 'READY=1' init.scope >/dev/null
    inside systemd-analyze log-level info
    says 'configuration reloaded' >/dev/null
    expect 'the process' "$process" "$(main_process)"
    [[ $(joke sources) == *tried* ]] || fail 'the source of the new configuration in jokesctl sources' "$(joke sources)"
    ok 'reloaded with a good one, it takes it: RELOADING=1 with MONOTONIC_USEC=, then READY=1; its source is there'
}

try_bad_start() {
    inside systemctl stop jokesd.service 2>/dev/null
    write_bad_configuration
    begin
    answer inside systemctl start jokesd.service
    ((status != 0)) || fail 'a start with a bad configuration fails' 'it did not'
    says "Failed with result 'exit-code'" >/dev/null
    expect 'its exit code' 78 "$(property ExecMainStatus)"
    # It would be activating, were it about to be started again.
    expect 'the service' failed "$(inside systemctl is-active jokesd.service)"
    expect 'the socket' active "$(inside systemctl is-active jokesd.socket)"
    ok "started with a bad configuration, it ends with 78 and is not started again: $(says "$configuration:3")"

    begin
    answer joke random
    ((status != 0)) || fail 'who asks is told the reason' "$said"
    expect_like 'what who asks is told' "$configuration:3" "$said"
    write_good_configuration tried
    # It stays for two seconds, to tell all who come meanwhile.
    says "Failed with result 'exit-code'" >/dev/null
    joke random --quiet >/dev/null || fail 'with a good one the next call is served' "exit code $?"
    ok "who asks meanwhile is told why (exit code $status); with a good one the next call is served"
}
