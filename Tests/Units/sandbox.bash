# shellcheck shell=bash disable=SC2154
# What the system's unit forbids is tried within it (probe), and outside of it by root and by nobody, so that it is seen
# that the attempts are real: what everybody is refused proves nothing.

readonly probe=(/usr/bin/python3 -B /mnt/probe)

try_sandbox() {
    plant_bait
    inside env STATE_DIRECTORY=/srv/probe CREDENTIALS_DIRECTORY=/etc "${probe[@]}" >"$machine/root.tried"
    as nobody env STATE_DIRECTORY=/srv/nobody CREDENTIALS_DIRECTORY=/etc "${probe[@]}" >"$machine/nobody.tried"
    probe_unit >"$machine/unit.tried"
    expect 'attempts under the unit' "$(wc -l <"$machine/root.tried")" "$(wc -l <"$machine/unit.tried")"

    printf '     %-52s %-12s %-12s %s\n' 'tried' 'root' 'nobody' 'in the unit'
    paste "$machine"/{root,nobody,unit}.tried | awk -F '\t' '{ printf "     %-52s %-12s %-12s %s\n", $2, $3, $6, $9 }'
    judge
    inside systemctl start jokesd.service
}

# What there is to read, and nobody should.
plant_bait() {
    inside install -d -m 755 -o alice /home/alice
    write /home/alice/diary <<<'Today I laughed.'
    write /tmp/of-the-machine <<<'Not of the service.'
    inside install -o alice -m 644 /dev/null /srv/of-alice
    inside python3 -c 'import ctypes; ctypes.CDLL(None).shmget(0x6A6F6B65, 4096, 0o1666)'
    inside install -d /srv/probe
    inside install -d -o nobody /srv/nobody
}

# The unit as it is, with another program: all that it forbids, it forbids this one.
probe_unit() {
    drop_in probe <<TEXT
[Service]
Type=oneshot
ExecStart=
ExecStart=${probe[*]}
LoadCredential=passwd:/etc/passwd
TEXT
    begin
    inside systemctl restart jokesd.service
    inside journalctl --after-cursor="$mark" --output=cat --unit=jokesd.service | grep -E $'^(forbidden|allowed)\t'
    remove_drop_in probe
}

judge() {
    local wrong tellable tried
    wrong=$(awk -F '\t' '($1 == "forbidden") == ($3 == "done")' "$machine/unit.tried")
    expect 'what the unit admits or refuses wrongly' '' "$wrong"
    # An attempt tells something where it ends otherwise without the unit.
    tried=$(grep -c ^forbidden "$machine/unit.tried")
    tellable=$(paste "$machine"/{root,unit}.tried | awk -F '\t' '$1 == "forbidden" && $3 != $6' | wc -l)
    ((tellable * 10 >= tried * 9)) || fail "nine of ten attempts succeed without the unit" "$tellable of $tried"
    ok "in the unit $tried things that it forbids are refused ($tellable of them end otherwise without it)," \
        "$(grep -c ^allowed "$machine/unit.tried") that it needs are done"
}
