# shellcheck shell=bash disable=SC2154
# Under the unmodified unit, the daemon fetches jokes over HTTPS with a credential from systemd. It rejects a server whose
# certificate authority the container does not trust.

readonly tls=/srv/tls secret=open-sesame

test_https() {
    start_joke_server
    write_file "$configuration" <<'TEXT'
{
  "sources": [{
    "name": "locked", "type": "json", "safety": "safe", "allowLocalNetwork": true,
    "url": "https://jokes.test:8443/jokes.json",
    "headers": { "Authorization": "Bearer @credential:locked" },
    "items": "/jokes", "map": { "id": "/id", "setup": "/setup", "punchline": "/punchline" },
  }],
}
TEXT
    in_container systemctl restart jokesd.service
    assert_refresh_fails 'LoadCredential'
    pass "missing credential: ${output//$'\n'/ }"

    write_file /etc/jokesd/locked.secret <<<"$secret"
    in_container chmod 600 /etc/jokesd/locked.secret
    add_drop_in secret <<<$'[Service]\nLoadCredential=locked:/etc/jokesd/locked.secret'
    in_container systemctl restart jokesd.service
    assert_refresh_fails 'certificate|authority|issuer|trust'
    pass "untrusted certificate authority: ${output//$'\n'/ }"

    in_container install -D -m 644 "$tls/authority.pem" /usr/local/share/ca-certificates/joke-authority.crt
    in_container update-ca-certificates >/dev/null 2>&1
    refresh_source
    assert_equal 'the exit code of jokesctl refresh' 0 "$status"
    assert_matches 'the joke from the server' 'It had seen the certificate' "$(ctl show locked:padlock)"
    pass "trusted certificate authority, and a credential that only root can read: ${output//$'\n'/ }"
    stop_joke_server
}

# assert_refresh_fails PATTERN   PATTERN matches the error
assert_refresh_fails() {
    refresh_source
    ((status != 0)) || fail 'jokesctl refresh fails' "$output"
    assert_matches 'the error of jokesctl refresh' "$1" "$output"
}

# Repeats the refresh until the daemon accepts the request. The daemon syncs the source at start, and then at most once
# per second.
refresh_source() { wait_until 'the daemon accepts the refresh' refresh_is_accepted; }
refresh_is_accepted() {
    run ctl refresh locked
    [[ $output != *'too soon after'* ]]
}

# Starts a server for jokes.test, an alias of the loopback address. A new certificate authority signs its certificate.
# shellcheck disable=SC2016
start_joke_server() {
    in_container bash -ec '
        mkdir -p "$1" && cd "$1"
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Authority of the test" \
            -addext keyUsage=critical,keyCertSign -keyout authority.key -out authority.pem
        openssl req -newkey rsa:2048 -nodes -subj /CN=jokes.test -keyout server.key -out server.request
        openssl x509 -req -days 2 -in server.request -CA authority.pem -CAkey authority.key -CAcreateserial \
            -extfile <(echo subjectAltName=DNS:jokes.test) -out server.pem
        echo 127.0.0.1 jokes.test >>/etc/hosts' make "$tls" >"$container/openssl" 2>&1 ||
        fail 'openssl creates a certificate authority' "$(<"$container/openssl")"
    in_container systemd-run --quiet --unit=joke-server --property=Type=notify \
        /usr/bin/python3 -B /mnt/joke_server.py "$tls/server.pem" "$tls/server.key" "$secret"
}

stop_joke_server() {
    in_container systemctl stop joke-server.service
    remove_drop_in secret
    in_container rm /etc/jokesd/locked.secret /usr/local/share/ca-certificates/joke-authority.crt
    in_container update-ca-certificates --fresh >/dev/null 2>&1
    write_valid_configuration fixture
    in_container systemctl restart jokesd.service
}
