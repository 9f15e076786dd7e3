# shellcheck shell=bash disable=SC2154
# Who connects is served by a daemon that this starts; who may not is refused.

try_first_connection() {
    inside usermod --append --groups jokes alice
    inside systemctl enable --quiet --now jokesd.socket
    expect 'the service' inactive "$(inside systemctl is-active jokesd.service)"
    ok "the socket is enabled: $(inside stat --format='%A %U:%G %n' /run/jokesd/jokesd.sock); no daemon runs"

    local took
    took=$(first_joke)
    expect 'the service' active "$(inside systemctl is-active jokesd.service)"
    ok "the first connection started the daemon: ready after $(start_time), the first joke after $took"
}

# From the start of jokesctl to its end, in the words of milliseconds.
# shellcheck disable=SC2016
first_joke() {
    local took
    took=$(as alice bash -c 'begun=${EPOCHREALTIME/./}; jokesctl random --quiet >/dev/null && echo $((${EPOCHREALTIME/./} - begun))') ||
        fail 'jokesctl random tells a joke' "$took"
    milliseconds "$took"
}

# From when systemd took up the connection to READY=1, as systemd saw it.
start_time() { milliseconds $(($(property ActiveEnterTimestampMonotonic) - $(property InactiveExitTimestampMonotonic))); }

try_group() {
    answer joke random
    expect 'exit code for alice, who is in the group jokes' 0 "$status"
    ok "alice, who is in the group jokes, is told a joke: ${said%%$'\n'*}"
    answer as bob jokesctl random
    expect 'exit code for bob, who is not' 69 "$status"
    ok "bob, who is not, is told: ${said//$'\n'/ }"
}

try_status() {
    local text
    text=$(property StatusText)
    expect_like 'the status of the service' '^[0-9,]+ jokes' "$text"
    ok "systemctl status says: $text"
}

try_doctor() {
    answer joke doctor
    expect 'exit code of jokesctl doctor' 0 "$status"
    expect_like 'what it finds' 'jokesd\.socket +listening, and enabled for the next boot' "$said"
    ok "alice's jokesctl doctor: ${said##*$'\n'}"
    answer as bob jokesctl doctor
    expect "exit code of bob's" 69 "$status"
    expect_like 'what it finds' 'bob is not in the group jokes' "$said"
    ok "bob's: ${said##*$'\n'} The first: ${said%%$'\n'*}"
}

# A daemon of alice's own, in a systemd of hers.
try_own_daemon() {
    local id
    id=$(inside id --user alice)
    until_true "alice's systemd is there" inside test -S "/run/user/$id/systemd/private"
    own systemctl --user --quiet enable --now jokesd.socket 2>/dev/null
    expect "alice's service" inactive "$(own systemctl --user is-active jokesd.service || true)"
    answer own jokesctl random
    expect 'exit code of jokesctl random' 0 "$status"
    expect "alice's service" active "$(own systemctl --user is-active jokesd.service)"
    ok "alice's own socket started a daemon of her own, and it told: ${said%%$'\n'*}"

    own systemctl --user stop jokesd.service 2>/dev/null
    inside test -S "/run/user/$id/jokesd/jokesd.sock" || fail 'her socket is there while the service is stopped' 'it is not'
    own jokesctl random --quiet >/dev/null || fail 'a connection starts it again' "exit code $?"
    ok 'stopped, hers keeps its socket too, and a connection starts it again'
}
own() { as alice env XDG_RUNTIME_DIR="/run/user/$(inside id --user alice)" "$@"; }

# alice will be in the group jokes, and bob not.
add_people() {
    inside useradd --create-home --shell /bin/bash alice
    inside useradd --create-home --shell /bin/bash bob
    # Her own systemd runs without a login.
    inside loginctl enable-linger alice
}
