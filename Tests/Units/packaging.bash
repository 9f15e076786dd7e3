# shellcheck shell=bash disable=SC2154
# The package: what it puts there, starts, keeps and leaves.

readonly store=/var/lib/private/jokesd/jokes.sqlite
before=''

# Nothing of an installation by hand may answer in place of the package.
forget_jokesd() {
    inside dpkg --purge jokesd >/dev/null 2>&1 || true
    inside rm -rf /usr/local/bin/joke{sd,sctl,s-tui} /usr/local/lib/systemd/{system,user}/jokesd.{service,socket} \
        /usr/local/lib/sysusers.d/jokesd.conf /etc/jokesd /var/lib/jokesd /var/lib/private/jokesd
    inside groupdel jokes 2>/dev/null || true
    inside systemctl daemon-reload
}

# install_package FILE
install_package() {
    install -m 644 "$1" "$machine/root/srv/jokesd.deb"
    answer inside env DEBIAN_FRONTEND=noninteractive dpkg --install /srv/jokesd.deb
    ((status == 0)) || fail 'dpkg --install succeeds' "$said"
}

try_installation() {
    forget_jokesd
    before=$(added)
    install_package "$1"
    local unit
    for unit in jokesd.socket jokesd.service; do
        expect "$unit starts at boot" disabled "$(inside systemctl is-enabled "$unit")"
        expect "$unit runs" inactive "$(inside systemctl is-active "$unit")"
        expect "$unit of a user starts at login" disabled "$(inside systemctl --global is-enabled "$unit")"
    done
    expect_like 'the group' '^jokes:' "$(inside getent group jokes)"
    [[ $'\n'$(since_then)$'\n' == *$'\n/usr/bin/jokesd\n'* ]] || fail '/usr/bin/jokesd among the files that came' "$(since_then)"
    ok "installed: jokesd $(version), $(since_then | grep -c ^/usr/) files below /usr; nothing is enabled or runs; the group jokes is there"
}
# shellcheck disable=SC2016
version() { inside dpkg-query --show --showformat='${Version}' jokesd; }

# A package like this one, of a version that follows.
newer_package() {
    local folder
    folder=$(mktemp -d)
    dpkg-deb --raw-extract "$1" "$folder/package"
    sed -i 's/^Version: .*/&+next/' "$folder/package/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$folder/package" "$machine/newer.deb" >/dev/null
    rm -rf "$folder"
}

try_upgrade() {
    local starred old new listening
    newer_package "$1"
    joke random --quiet >/dev/null
    joke favorite last >/dev/null
    starred=$(joke --json favorites)
    own jokesctl random --quiet >/dev/null
    old=$(main_process)
    listening=$(property ActiveEnterTimestampMonotonic jokesd.socket)
    install_package "$machine/newer.deb"
    expect_like 'the version' '\+next$' "$(version)"
    expect 'the favorites' "$starred" "$(joke --json favorites)"
    new=$(main_process)
    [[ $new != 0 && $new != "$old" ]] || fail 'a service of the new version runs' "process $new after $old"
    expect 'its program' /usr/bin/jokesd "$(inside readlink "/proc/$new/exe")"
    expect 'the socket listens since' "$listening" "$(property ActiveEnterTimestampMonotonic jokesd.socket)"
    ok "upgraded to $(version): the service that runs is the new one, the socket never closed, the favorite is there"
}

try_removal() {
    answer inside dpkg --remove jokesd
    ((status == 0)) || fail 'dpkg --remove succeeds' "$said"
    expect 'the service' inactive "$(inside systemctl is-active jokesd.service)"
    expect 'the socket' inactive "$(inside systemctl is-active jokesd.socket)"
    expect "alice's own socket" inactive "$(own systemctl --user is-active jokesd.socket)"
    inside test -e "$store" || fail "removal keeps $store" 'it is gone'
    ok "removed: service and socket are stopped, alice's own too; the state is kept"

    answer inside dpkg --purge jokesd
    ((status == 0)) || fail 'dpkg --purge succeeds' "$said"
    expect 'the unit files' '' "$(inside systemctl list-unit-files --no-legend 'jokesd.*')"
    expect 'what purge leaves' '' "$(since_then)"
    inside test -e /home/alice/.local/state/jokesd/jokes.sqlite || fail "purge keeps alice's own jokes" 'they are gone'
    ok "purged: no file is left below /etc, /usr and /var/lib that was not there before; alice's own jokes are hers"
}
# Files that were not there before the installation.
since_then() { comm -13 <(printf '%s\n' "$before") <(added); }
