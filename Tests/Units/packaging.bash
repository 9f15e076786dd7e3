# shellcheck shell=bash disable=SC2154
# Installation, upgrade, removal and purge of the package.

readonly store=/var/lib/private/jokesd/jokes.sqlite
files_before=''

# Removes any installation, including one from make install. Its programs and units would override the package.
remove_jokesd() {
    in_container dpkg --purge jokesd >/dev/null 2>&1 || true
    in_container rm -rf /usr/local/bin/joke{sd,sctl,s-tui} /usr/local/lib/systemd/{system,user}/jokesd.{service,socket} \
        /usr/local/lib/systemd/user/jokes-notify.{service,timer} \
        /usr/local/lib/sysusers.d/jokesd.conf /etc/jokesd /var/lib/jokesd /var/lib/private/jokesd
    in_container groupdel jokes 2>/dev/null || true
    in_container systemctl daemon-reload
}

# install_package FILE
install_package() {
    install -m 644 "$1" "$container/root/srv/jokesd.deb"
    run in_container env DEBIAN_FRONTEND=noninteractive dpkg --install /srv/jokesd.deb
    ((status == 0)) || fail 'dpkg --install succeeds' "$output"
}

test_installation() {
    remove_jokesd
    files_before=$(list_added_files)
    install_package "$1"
    local unit
    for unit in jokesd.socket jokesd.service; do
        assert_equal "$unit at boot" disabled "$(in_container systemctl is-enabled "$unit")"
        assert_equal "$unit" inactive "$(in_container systemctl is-active "$unit")"
        assert_equal "$unit of a user at login" disabled "$(in_container systemctl --global is-enabled "$unit")"
    done
    assert_equal 'jokes-notify.timer of a user at login' disabled \
        "$(in_container systemctl --global is-enabled jokes-notify.timer)"
    assert_matches 'the group' '^jokes:' "$(in_container getent group jokes)"
    [[ $'\n'$(list_new_files)$'\n' == *$'\n/usr/bin/jokesd\n'* ]] ||
        fail '/usr/bin/jokesd is a new file' "$(list_new_files)"
    pass "install: jokesd $(installed_version), $(list_new_files | grep -c ^/usr/) files in /usr, the group jokes;" \
        "no unit is enabled or active"
}
# shellcheck disable=SC2016
installed_version() { in_container dpkg-query --show --showformat='${Version}' jokesd; }

# build_newer_package FILE   copies the package with a higher version number
build_newer_package() {
    local folder
    folder=$(mktemp -d)
    dpkg-deb --raw-extract "$1" "$folder/package"
    sed -i 's/^Version: .*/&+next/' "$folder/package/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$folder/package" "$container/newer.deb" >/dev/null
    rm -rf "$folder"
}

test_upgrade() {
    local favorites old_pid new_pid socket_start
    build_newer_package "$1"
    ctl random --quiet >/dev/null
    ctl favorite last >/dev/null
    favorites=$(ctl --json favorites)
    in_session jokesctl random --quiet >/dev/null
    old_pid=$(main_pid)
    socket_start=$(unit_property ActiveEnterTimestampMonotonic jokesd.socket)
    install_package "$container/newer.deb"
    assert_matches 'the version' '\+next$' "$(installed_version)"
    assert_equal 'the favorites' "$favorites" "$(ctl --json favorites)"
    new_pid=$(main_pid)
    [[ $new_pid != 0 && $new_pid != "$old_pid" ]] || fail 'the upgrade restarts the service' "process $new_pid after $old_pid"
    assert_equal 'the program of the service' /usr/bin/jokesd "$(in_container readlink "/proc/$new_pid/exe")"
    assert_equal 'the start of the socket' "$socket_start" "$(unit_property ActiveEnterTimestampMonotonic jokesd.socket)"
    pass "upgrade to $(installed_version): the service restarts, the socket stays open, and the favorite remains"
}

test_removal() {
    run in_container dpkg --remove jokesd
    ((status == 0)) || fail 'dpkg --remove succeeds' "$output"
    assert_equal 'the service' inactive "$(in_container systemctl is-active jokesd.service)"
    assert_equal 'the socket' inactive "$(in_container systemctl is-active jokesd.socket)"
    assert_equal 'the user socket of alice' inactive "$(in_session systemctl --user is-active jokesd.socket)"
    assert_equal 'the timer of alice' inactive "$(in_session systemctl --user is-active jokes-notify.timer)"
    in_container test -e "$store" || fail "dpkg --remove keeps $store" 'the file does not exist'
    pass "remove: the system units and the user units of alice stop, and the state of the system daemon remains"

    run in_container dpkg --purge jokesd
    ((status == 0)) || fail 'dpkg --purge succeeds' "$output"
    assert_equal 'the unit files' '' "$(in_container systemctl list-unit-files --no-legend 'jokesd.*' 'jokes-notify.*')"
    assert_equal 'the remaining files' '' "$(list_new_files)"
    in_container test -e /home/alice/.local/state/jokesd/jokes.sqlite ||
        fail 'dpkg --purge keeps the jokes of alice' 'the file does not exist'
    pass "purge: no new file remains in /etc, /usr and /var/lib, and the jokes of alice remain"
}
# Prints the files that did not exist before the installation.
list_new_files() { comm -13 <(printf '%s\n' "$files_before") <(list_added_files); }
