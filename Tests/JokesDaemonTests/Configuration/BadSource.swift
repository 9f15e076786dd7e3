/// Sources that must be refused because of keys that only some types have. See `BadFile`.
extension BadFile {
    static let sources = foreignKeys + rates + lists + tokens + secrets + proxies

    /// A configuration with one source `a` of a type with these additional keys.
    static func source(_ type: String, _ keys: String, _ complaints: String...) -> BadFile {
        BadFile("{ sources: [ { name: 'a', type: '\(type)',\n\(keys) } ] }", complaints)
    }

    private static func network(_ keys: String, _ complaint: String) -> BadFile {
        BadFile("{ network: { \(keys) } }", "1: network.\(complaint)")
    }

    private static let foreignKeys = [
        source(
            "fortune", "path: '/a', url: 'x', rate: 7, map: {}, languages: 'x'",
            "2: sources[0].languages: does not apply to source type 'fortune'",
            "2: sources[0].map: does not apply to source type 'fortune'",
            "2: sources[0].rate: does not apply to source type 'fortune'",
            "2: sources[0].url: does not apply to source type 'fortune'"),
        source(
            "official-joke-api", "\n\nitems: '/x'",
            "4: sources[0].items: does not apply to source type 'official-joke-api'"),
        source(
            "json", "url: 'https://example.org', xyzzy: 1, path: '/a', token: '@file:/a',",
            "2: sources[0]: unknown key 'xyzzy': use one of allowLocalNetwork, auth, "
                + "empty, enabled, error, filter, first, flags, headers, html, interval, items, language, languages, "
                + "limit, map, name, next, pages, path, query, rate, safety, size, split, strategy, total, type, url",
            "2: sources[0].path: has no effect with 'url': use one of them",
            "2: sources[0].token: does not apply to source type 'json'"),
        source(
            "json", "path: '/a', strategy: 'random'",
            "2: sources[0].strategy: a file has all jokes: leave out 'strategy'"),
        source("rss", "path: 'a'", "2: sources[0].path: expected an absolute path, found 'a'"),
    ]

    private static let rates = [
        source("official-joke-api", "rate: 50", "2: sources[0].rate: expected an object { … }, found 50"),
        source("official-joke-api", "rate: { per: '1d' }", #"2: sources[0].rate: missing key 'requests'"#),
        source("official-joke-api", "rate: { requests: 1 }", #"2: sources[0].rate: missing key 'per'"#),
        source(
            "official-joke-api", "rate: { requests: 0, per: 'day' }",
            #"2: sources[0].rate.per: expected a duration such as 90s, 15m, 6h or 7d, found 'day'"#,
            "2: sources[0].rate.requests: 0 is not between 1 and 1000000"),
        source(
            "official-joke-api", "rate: { requests: 1, per: '0s', at: 1 }",
            "2: sources[0].rate: unknown key 'at': use one of per, requests",
            #"2: sources[0].rate.per: '0s' is not between 1s and 365d"#),
    ]

    private static let lists = [
        source(
            "json", "url: 'https://example.org/{lang}', languages: ['english', 7]",
            #"2: sources[0].languages[0]: expected a language such as en, de or pt-BR, found 'english'"#,
            "2: sources[0].languages[1]: expected a language such as en, de or pt-BR, found 7")
    ]

    private static let tokens = [
        source(
            "blagues-api", "enabled: false",
            #"1: sources[0]: missing key 'token' (the secret: write "@file:/path/to/file" or "@credential:name")"#),
        source("blagues-api", "token: 's3cr3t'", "2: sources[0].token: \(howToKeep)"),
        source("blagues-api", "token: '@file:s3cr3t'", "2: sources[0].token: \(howToWrite)"),
        source("blagues-api", "token: ['s3cr3t']", "2: sources[0].token: \(howToWrite)"),
        source(
            "icanhazdadjoke", "token: 's3cr3t'", "2: sources[0].token: does not apply to source type 'icanhazdadjoke'"),
        source(
            "chucknorris", "categories: ['dev', '', '  ', 'a/b', 7]",
            #"2: sources[0].categories[1]: invalid category '': use 1 to 64 letters, digits, spaces, - and _"#,
            #"2: sources[0].categories[2]: invalid category '  ': use 1 to 64 letters, digits, spaces, - and _"#,
            #"2: sources[0].categories[3]: invalid category 'a/b': use 1 to 64 letters, digits, spaces, - and _"#,
            "2: sources[0].categories[4]: expected text in quotes, found 7"),
        source(
            "jokeapi", "languages: 'en'", #"2: sources[0].languages: expected a list, found 'en'"#),
    ]

    private static let howToKeep =
        #"secret in the configuration: move it to its own file and write "@file:/path/to/file""#
    private static let howToWrite =
        #"invalid secret reference: write "@file:/path/to/file" or "@credential:name""#

    private static let secrets =
        [
            "'X-Api-Key': 's3cr3t'", "Authorization: 'Bearer s3cr3t'", "COOKIE: 'id=s3cr3t'",
        ].map { header($0, howToKeep) }
        + [
            "'X-Api-Key': '@file:s3cr3t'", "'X-Api-Key': '@file:/s3\\0cr3t'", "'X-Api-Key': '@s3cr3t'",
            "'X-Api-Key': '@credential:'", "'X-Api-Key': '@credential:s3/cr3t'", "'X-Api-Key': '@credential:..'",
            "Authorization: 'Bearer @file:s3cr3t'",
        ].map { header($0, howToWrite) }
        + [
            header("'X-Api-Key': ['s3cr3t']", "expected text in quotes"),
            header("Accept: 'a\\nX: s3cr3t'", "use at most 1000 printable ASCII characters"),
            header("Accept: 'ä\\n @file:/s3cr3t'", "use at most 1000 printable ASCII characters"),
            header("Host: 's3cr3t'", "jokesd sets this header: remove it"),
            header("'If-None-Match': 's3cr3t'", "jokesd sets this header: remove it"),
            header("'a b': 's3cr3t'", "invalid header name: use 1 to 100 characters of a-z, 0-9, -, _ and ."),
            header("'': 's3cr3t'", "invalid header name: use 1 to 100 characters of a-z, 0-9, -, _ and ."),
            query("'api-key': 's3cr3t'", howToKeep), query("access_token: 's3cr3t'", howToKeep),
            query("a: 7", "expected text in quotes"),
            source(
                "json", "url: 'https://example.org', headers: 's3cr3t'",
                #"2: sources[0].headers: expected an object { … }, found 's3cr3t'"#),
            source(
                "json", "url: 'https://example.org', query: { a: '1',\na: '2' }",
                "3: sources[0].query.a: duplicate key: first used on line 2"),
        ]

    private static func header(_ member: String, _ complaint: String) -> BadFile {
        field("headers", member, complaint)
    }

    private static func query(_ member: String, _ complaint: String) -> BadFile {
        field("query", member, complaint)
    }

    private static func field(_ object: String, _ member: String, _ complaint: String) -> BadFile {
        let name = member.prefix { $0 != ":" }.filter { $0 != "'" }
        let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0 == "_" }
        let path = isName ? ".\(name)" : "['\(name)']"
        return source(
            "json", "url: 'https://example.org', \(object): { \(member) }",
            "2: sources[0].\(object)\(path): \(complaint)")
    }

    private static let howToProxy = #"write "none", "http://proxy.example.org:3128" or "socks5h://127.0.0.1:1080""#

    private static let proxies =
        ["7", "'proxy.example.org:3128'", "'ftp://proxy'", "'http://'", "'https:///x'", "'http://a b'", "''"].map {
            network("proxy: \($0)", "proxy: invalid proxy: \(howToProxy)")
        } + [
            network(
                "proxy: 'http://me:s3cr3t@proxy:1'",
                "proxy: user name and password in the configuration: move the URL to its own file and write "
                    + #""@file:/path/to/file""#),
            network(
                "proxy: '@file:s3cr3t'",
                #"proxy: invalid proxy reference: write "@file:/path/to/file" or "@credential:name""#
            ),
        ]
}
