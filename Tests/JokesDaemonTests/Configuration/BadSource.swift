/// Sources that must be refused: the keys that only some kinds take. See `BadFile`.
extension BadFile {
    static let sources = foreignKeys + rates + lists + tokens + secrets + proxies

    /// A configuration with one source, called a, of a type and with these keys more.
    static func source(_ type: String, _ keys: String, _ complaints: String...) -> BadFile {
        BadFile("{ sources: [ { name: 'a', type: '\(type)',\n\(keys) } ] }", complaints)
    }

    private static func network(_ keys: String, _ complaint: String) -> BadFile {
        BadFile("{ network: { \(keys) } }", "1: network.\(complaint)")
    }

    private static let foreignKeys = [
        source(
            "fortune", "path: '/a', url: 'x', rate: 7, map: {}, languages: 'x'",
            "2: sources[0].languages: a source of type fortune has no such key",
            "2: sources[0].map: a source of type fortune has no such key",
            "2: sources[0].rate: a source of type fortune has no such key",
            "2: sources[0].url: a source of type fortune has no such key"),
        source(
            "official-joke-api", "\n\nitems: '/x'",
            "4: sources[0].items: a source of type official-joke-api has no such key"),
        source(
            "json", "url: 'https://example.org', paht: 1, path: '/a',",
            "2: sources[0].paht: there is no such key; there is allowLocalNetwork, "
                + "empty, enabled, error, filter, first, flags, headers, html, interval, items, language, languages, "
                + "limit, map, name, next, pages, query, rate, safety, size, split, strategy, total, type, url",
            "2: sources[0].path: a source of type json has no such key"),
    ]

    private static let rates = [
        source("official-joke-api", "rate: 50", "2: sources[0].rate: 50 is not an object: { … }"),
        source("official-joke-api", "rate: { per: '1d' }", #"2: sources[0].rate: the key "requests" is missing"#),
        source("official-joke-api", "rate: { requests: 1 }", #"2: sources[0].rate: the key "per" is missing"#),
        source(
            "official-joke-api", "rate: { requests: 0, per: 'day' }",
            #"2: sources[0].rate.per: "day" is not a duration; write 90s, 15m, 6h or 7d"#,
            "2: sources[0].rate.requests: 0 is not between 1 and 1000000"),
        source(
            "official-joke-api", "rate: { requests: 1, per: '0s', at: 1 }",
            "2: sources[0].rate.at: there is no such key; there is per, requests",
            #"2: sources[0].rate.per: "0s" is not between 1s and 365d"#),
    ]

    private static let lists = [
        source(
            "json", "url: 'https://example.org/{lang}', languages: ['english', 7]",
            #"2: sources[0].languages[0]: "english" is not a language; write en, de or pt-BR"#,
            "2: sources[0].languages[1]: 7 is not a language; write en, de or pt-BR",
            // No language is left that it could stand for.
            #"2: sources[0].url: {lang} stands for one of "languages", and there are none"#)
    ]

    private static let tokens = [
        source(
            "blagues-api", "enabled: false",
            #"1: sources[0]: the key "token" is missing: where the secret is kept, "@file:/path/of/it""#),
        source("blagues-api", "token: 's3cr3t'", "2: sources[0].token: \(howToKeep)"),
        source("blagues-api", "token: '@file:s3cr3t'", "2: sources[0].token: \(howToWrite)"),
        source("blagues-api", "token: ['s3cr3t']", "2: sources[0].token: \(howToWrite)"),
        source(
            "icanhazdadjoke", "token: 's3cr3t'", "2: sources[0].token: a source of type icanhazdadjoke has no such key"),
        source(
            "chucknorris", "categories: ['dev', '', '  ', 'a/b', 7]",
            #"2: sources[0].categories[1]: "" is not a category; write letters, digits, -, _ and spaces, up to 64"#,
            #"2: sources[0].categories[2]: "  " is not a category; write letters, digits, -, _ and spaces, up to 64"#,
            #"2: sources[0].categories[3]: "a/b" is not a category; write letters, digits, -, _ and spaces, up to 64"#,
            "2: sources[0].categories[4]: 7 is not text in quotes"),
        source(
            "jokeapi", "languages: 'en'", #"2: sources[0].languages: "en" is not a list"#),
    ]

    private static let howToKeep =
        #"a secret does not belong here; put it into a file of its own and write "@file:/path/of/the/file" here"#
    private static let howToWrite =
        #"this is not where a secret is kept; write "@file:/path/of/the/file" or "@credential:name""#

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
            header("'X-Api-Key': ['s3cr3t']", "this is not text in quotes"),
            header("Accept: 'a\\nX: s3cr3t'", "this is not up to 1000 characters of ASCII"),
            header("Accept: 'ä\\n @file:/s3cr3t'", "this is not up to 1000 characters of ASCII"),
            header("Host: 's3cr3t'", "this header is jokesd's own to send"),
            header("'If-None-Match': 's3cr3t'", "this header is jokesd's own to send"),
            header("'a b': 's3cr3t'", "this is not the name of a header; write 1 to 100 of a-z, 0-9, -, _ and ."),
            header("'': 's3cr3t'", "this is not the name of a header; write 1 to 100 of a-z, 0-9, -, _ and ."),
            query("'api-key': 's3cr3t'", howToKeep), query("access_token: 's3cr3t'", howToKeep),
            query("a: 7", "this is not text in quotes"),
            query("'': 's3cr3t'", "the name of a field has 1 to 100 bytes"),
            query("a: '\(String(repeating: "s3cr3t", count: 200))'", "this is longer than 1000 bytes"),
            source(
                "json", "url: 'https://example.org', headers: 's3cr3t'",
                #"2: sources[0].headers: "s3cr3t" is not an object: { … }"#),
            source(
                "json", "url: 'https://example.org', query: { a: '1',\na: '2' }",
                "3: sources[0].query.a: is there twice, first in line 2"),
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
        let path = isName ? ".\(name)" : "[\"\(name)\"]"
        return source(
            "json", "url: 'https://example.org', \(object): { \(member) }",
            "2: sources[0].\(object)\(path): \(complaint)")
    }

    private static let howToProxy = #"write "none", "http://proxy.example.org:3128" or "socks5h://127.0.0.1:1080""#

    private static let proxies =
        ["7", "'proxy.example.org:3128'", "'ftp://proxy'", "'http://'", "'https:///x'", "'http://a b'", "''"].map {
            network("proxy: \($0)", "proxy: this is not a proxy; \(howToProxy)")
        } + [
            network(
                "proxy: 'http://me:s3cr3t@proxy:1'",
                "proxy: user and password do not belong here; put the whole URL into a file of its own and write "
                    + #""@file:/path/of/the/file" here"#),
            network(
                "proxy: '@file:s3cr3t'",
                #"proxy: this is not where a proxy's URL is kept; write "@file:/path/of/the/file" or "@credential:name""#
            ),
        ]
}
