# shellcheck shell=bash disable=SC2154
# Under the unit as it is, jokes come over https from a server whose authority the machine trusts, with a secret that
# systemd passes; and from no other.

readonly tls=/srv/tls secret=open-sesame

try_https() {
    start_joke_server
    write "$configuration" <<'TEXT'
{
  "sources": [{
    "name": "locked", "type": "json", "safety": "safe", "allowLocalNetwork": true,
    "url": "https://jokes.test:8443/jokes.json",
    "headers": { "Authorization": "Bearer @credential:locked" },
    "items": "/jokes", "map": { "id": "/id", "setup": "/setup", "punchline": "/punchline" },
  }],
}
TEXT
    inside systemctl restart jokesd.service
    refused 'LoadCredential'
    ok "a secret that nobody passes: ${said//$'\n'/ }"

    write /etc/jokesd/locked.secret <<<"$secret"
    inside chmod 600 /etc/jokesd/locked.secret
    drop_in secret <<<$'[Service]\nLoadCredential=locked:/etc/jokesd/locked.secret'
    inside systemctl restart jokesd.service
    refused 'certificate|authority|issuer|trust'
    ok "an authority that nobody trusts: ${said//$'\n'/ }"

    inside install -D -m 644 "$tls/authority.pem" /usr/local/share/ca-certificates/joke-authority.crt
    inside update-ca-certificates >/dev/null 2>&1
    refresh
    expect 'exit code of jokesctl refresh' 0 "$status"
    expect_like 'the joke from over there' 'It had seen the certificate' "$(joke show locked:padlock)"
    ok "trusted from here on, with the secret of root's that LoadCredential= passes: ${said//$'\n'/ }"
    stop_joke_server
}

# refused PATTERN   refreshing fails with such words
refused() {
    refresh
    ((status != 0)) || fail 'the source is refused' "$said"
    expect_like 'the reason' "$1" "$said"
}

# It is asked once a second at most, and was by itself at the start.
refresh() { until_true 'the source may be asked' may_refresh; }
may_refresh() {
    answer joke refresh locked
    [[ $said != *'too soon after'* ]]
}

# A certificate for jokes.test, which is this machine, signed by an authority made for it.
# shellcheck disable=SC2016
start_joke_server() {
    inside bash -ec '
        mkdir -p "$1" && cd "$1"
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Authority of the try" \
            -addext keyUsage=critical,keyCertSign -keyout authority.key -out authority.pem
        openssl req -newkey rsa:2048 -nodes -subj /CN=jokes.test -keyout server.key -out server.request
        openssl x509 -req -days 2 -in server.request -CA authority.pem -CAkey authority.key -CAcreateserial \
            -extfile <(echo subjectAltName=DNS:jokes.test) -out server.pem
        echo 127.0.0.1 jokes.test >>/etc/hosts' make "$tls" >"$machine/openssl" 2>&1 ||
        fail 'openssl makes an authority' "$(<"$machine/openssl")"
    inside systemd-run --quiet --unit=joke-server --property=Type=notify \
        /usr/bin/python3 -B /mnt/joke_server.py "$tls/server.pem" "$tls/server.key" "$secret"
}

stop_joke_server() {
    inside systemctl stop joke-server.service
    remove_drop_in secret
    inside rm /etc/jokesd/locked.secret /usr/local/share/ca-certificates/joke-authority.crt
    inside update-ca-certificates --fresh >/dev/null 2>&1
    write_good_configuration tried
    inside systemctl restart jokesd.service
}
