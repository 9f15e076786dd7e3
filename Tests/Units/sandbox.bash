# shellcheck shell=bash disable=SC2154
# Runs the probe in the system unit, and also as root and as nobody outside of the unit. An attempt that fails
# everywhere proves nothing about the unit.

readonly probe=(/usr/bin/python3 -B /mnt/probe)

test_sandbox() {
    create_targets
    in_container env STATE_DIRECTORY=/srv/probe CREDENTIALS_DIRECTORY=/etc "${probe[@]}" >"$container/root.results"
    as_user nobody env STATE_DIRECTORY=/srv/nobody CREDENTIALS_DIRECTORY=/etc "${probe[@]}" >"$container/nobody.results"
    run_probe_in_unit >"$container/unit.results"
    assert_equal 'the number of attempts in the unit' \
        "$(wc -l <"$container/root.results")" "$(wc -l <"$container/unit.results")"

    printf '     %-52s %-12s %-12s %s\n' 'attempt' 'root' 'nobody' 'in the unit'
    paste "$container"/{root,nobody,unit}.results |
        awk -F '\t' '{ printf "     %-52s %-12s %-12s %s\n", $2, $3, $6, $9 }'
    check_results
    in_container systemctl start jokesd.service
}

# Creates the files and the shared memory that the unit must not reach.
create_targets() {
    in_container install -d -m 755 -o alice /home/alice
    write_file /home/alice/diary <<<'Today I laughed.'
    write_file /tmp/outside <<<'The private /tmp of the service does not have this file.'
    in_container install -o alice -m 644 /dev/null /srv/of-alice
    in_container python3 -c 'import ctypes; ctypes.CDLL(None).shmget(0x6A6F6B65, 4096, 0o1666)'
    in_container install -d /srv/probe
    in_container install -d -o nobody /srv/nobody
}

# Replaces the program of the unit. All restrictions of the unit also apply to the probe.
run_probe_in_unit() {
    add_drop_in probe <<TEXT
[Service]
Type=oneshot
ExecStart=
ExecStart=${probe[*]}
LoadCredential=passwd:/etc/passwd
TEXT
    save_cursor
    in_container systemctl restart jokesd.service
    in_container journalctl --after-cursor="$cursor" --output=cat --unit=jokesd.service |
        grep -E $'^(forbidden|allowed)\t'
    remove_drop_in probe
}

check_results() {
    local wrong effective forbidden
    wrong=$(awk -F '\t' '($1 == "forbidden") == ($3 == "done")' "$container/unit.results")
    assert_equal 'the wrong results in the unit' '' "$wrong"
    # An attempt is effective if its result for root is different from its result in the unit.
    forbidden=$(grep -c ^forbidden "$container/unit.results")
    effective=$(paste "$container"/{root,unit}.results | awk -F '\t' '$1 == "forbidden" && $3 != $6' | wc -l)
    ((effective * 10 >= forbidden * 9)) || fail "at least 90% of the forbidden attempts are effective" "$effective of $forbidden"
    pass "sandbox: the unit refuses $forbidden forbidden operations ($effective have another result outside of the unit)" \
        "and permits $(grep -c ^allowed "$container/unit.results") operations that the daemon needs"
}
