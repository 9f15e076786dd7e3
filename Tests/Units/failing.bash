# shellcheck shell=bash disable=SC2154
# A daemon that hangs or is killed is started again, and the socket outlives every one of them.

try_stop() {
    local socket
    socket=$(inside stat --format=%i /run/jokesd/jokesd.sock)
    begin
    inside systemctl stop jokesd.service 2>/dev/null
    expect 'the service' inactive "$(inside systemctl is-active jokesd.service)"
    inside journalctl --sync
    expect 'what it says at its end' '' "$(inside journalctl --after-cursor="$mark" --output=cat --identifier=jokesd)"
    expect 'the socket file' "$socket" "$(inside stat --format=%i /run/jokesd/jokesd.sock)"
    joke random --quiet >/dev/null || fail 'a connection made while it is stopped starts it' "exit code $?"
    expect 'the service' active "$(inside systemctl is-active jokesd.service)"
    inside systemctl restart jokesd.service
    expect 'the socket file' "$socket" "$(inside stat --format=%i /run/jokesd/jokesd.sock)"
    ok 'stopped and started, it says nothing and keeps its socket, and a connection made meanwhile starts it'
}

try_kill() {
    local process
    process=$(main_process)
    begin
    inside kill -KILL "$process"
    says 'Scheduled restart job' >/dev/null
    says 'Started jokesd.service' >/dev/null
    served_by_another "$process"
    ok "killed with SIGKILL, it was started again (process $process, then $(main_process))"
}

try_hang() {
    drop_in watchdog <<<$'[Service]\nWatchdogSec=3s\nTimeoutAbortSec=1s'
    inside systemctl restart jokesd.service
    local process line begun=$SECONDS
    process=$(main_process)
    begin
    inside kill -STOP "$process"
    line=$(says 'Watchdog timeout')
    says 'Started jokesd.service' >/dev/null
    served_by_another "$process"
    ok "hung, it was ended and started again after $((SECONDS - begun)) s: ${line#*: }"
    remove_drop_in watchdog
}

try_restart_of_the_machine() {
    halt
    boot "$here"
    expect 'the socket' active "$(inside systemctl is-active jokesd.socket)"
    expect 'the service' inactive "$(inside systemctl is-active jokesd.service)"
    joke random --quiet >/dev/null || fail 'a joke is told' "exit code $?"
    ok "the machine started again: its socket listens, no daemon runs until somebody connects"
}

served_by_another() {
    joke random --quiet >/dev/null || fail 'a joke is told' "exit code $?"
    [[ $(main_process) != "$1" ]] || fail "another process than $1" 'the same'
}
