/// A configuration that must be refused, and the expected messages without the name of the file.
struct BadFile: CustomStringConvertible, Sendable {
    let text: String
    let complaints: [String]

    init(_ text: String, _ complaints: String...) {
        self.init(text, complaints)
    }

    init(_ text: String, _ complaints: [String]) {
        self.text = text
        self.complaints = complaints
    }

    var description: String {
        text.debugDescription
    }

    static let all = notJSON5 + wrongShapes + wrongKeys + wrongValues + wrongSources + manyMistakes

    private static let notJSON5 = [
        BadFile("", "1: expected a value, found the end of the file"),
        BadFile("{\n  // feed\n", "3: expected a key or '}', found the end of the file"),
        BadFile("{ feed: { size: 5 }\n  filter: {} }", #"2: expected ',' or '}', found 'f'"#),
        BadFile("{ feed { size: 5 } }", #"1: expected ':' after key 'feed', found '{'"#),
        BadFile("{\n feed: { size: fifty } }", #"2: 'fifty' is not valid here: put text in quotes"#),
        BadFile("{\n feed: { size: eyJhbGciOi } }", "2: the value is not valid here: put text in quotes"),
        BadFile("{ feed: { size: 0123eyJhbGciOi } }", "1: the value is not a number"),
        BadFile("{ feed: { size: 0x } }", #"1: '0x' is not a number"#),
        BadFile("{ feed: { size: 007 } }", #"1: '007' is not a number"#),
        BadFile("{ network: {\n contact: \"me } }", "2: unterminated text: add the closing quote"),
        BadFile("{ /* size:\n\n 5", "1: unterminated comment: add '*/'"),
        BadFile("{}\n{}", #"2: expected the end of the file, found '{'"#),
        BadFile(String(repeating: "[", count: 1000), "1: nested more than 64 levels deep"),
    ]

    private static let wrongShapes = [
        BadFile("[]", "1: expected an object { … }, found a list"),
        BadFile("null", "1: expected an object { … }, found null"),
        BadFile("{ feed: 50 }", "1: feed: expected an object { … }, found 50"),
        BadFile("{ sources: {} }", "1: sources: expected a list, found an object"),
        BadFile("{ sources: [ 'official' ] }", #"1: sources[0]: expected an object { … }, found 'official'"#),
        BadFile("{ feed: { size: '50' } }", #"1: feed.size: expected a whole number, found '50'"#),
        BadFile("{ feed: { size: 2.5 } }", "1: feed.size: expected a whole number, found 2.5"),
        BadFile("{ feed: { size: NaN } }", "1: feed.size: expected a whole number, found nan"),
        BadFile("{ feed: { size: null } }", "1: feed.size: expected a whole number, found null"),
        BadFile("{ filter: { safe: 'yes' } }", #"1: filter.safe: expected true or false, found 'yes'"#),
        BadFile("{ filter: { words: 'duck' } }", #"1: filter.words: expected a list, found 'duck'"#),
        BadFile("{ filter: { words: ['duck',\n 1] } }", "2: filter.words[1]: expected text in quotes, found 1"),
        BadFile(
            "{ network: { timeout: 30 } }",
            "1: network.timeout: expected a duration such as 90s, 15m, 6h or 7d, found 30"),
    ]

    private static let wrongKeys = [
        BadFile(
            "{\n feeds: {} }",
            #"2: unknown key 'feeds': did you mean 'feed'?"#),
        BadFile(
            "{ feed: {\n sise: 5 } }",
            #"2: feed: unknown key 'sise': did you mean 'size'?"#),
        BadFile(
            "{ feed: { colour: 1 } }",
            "1: feed: unknown key 'colour': use one of placeholders, size"),
        BadFile(
            "{ feed: { 'two words': 1 } }",
            #"1: feed: unknown key 'two words': use one of placeholders, size"#),
        BadFile(
            "{ feed: { '\u{1B}[2J\u{202E}': 1 } }",
            #"1: feed: unknown key '\u{1b}[2J\u{202e}': use one of placeholders, size"#),
        BadFile(
            "{ feed: {\n size: 5,\n size: 6 } }",
            "3: feed.size: duplicate key: first used on line 2"),
    ]

    private static let wrongValues = [
        BadFile("{ feed: { size: 0 } }", "1: feed.size: 0 is not between 1 and 1000"),
        BadFile("{ feed: { placeholders: 101 } }", "1: feed.placeholders: 101 is not between 0 and 100"),
        BadFile("{ filter: { maxLength: -1 } }", "1: filter.maxLength: -1 is not between 1 and 8192"),
        BadFile(
            "{ filter: { flags: ['nsfw', 'sexits'] } }",
            #"1: filter.flags[1]: unknown flag 'sexits': did you mean 'sexist'?"#),
        BadFile(
            "{ filter: { flags: ['rude'] } }",
            #"1: filter.flags[0]: unknown flag 'rude': "#
                + "use one of explicit, nsfw, other, political, racist, religious, sexist"),
        BadFile(
            "{ filter: { languages: ['english'] } }",
            #"1: filter.languages[0]: expected a language such as en, de or pt-BR, found 'english'"#),
        BadFile(
            "{ filter: { words: ['two words'] } }",
            #"1: filter.words[0]: expected one word of letters and digits, found 'two words'"#),
        BadFile("{ network: { timeout: '0s' } }", #"1: network.timeout: '0s' is not between 1s and 10m"#),
        BadFile(
            "{ network: { timeout: '30 s' } }",
            #"1: network.timeout: expected a duration such as 90s, 15m, 6h or 7d, found '30 s'"#),
        BadFile(
            "{ network: { timeout: '99999999999999999999d' } }",
            #"1: network.timeout: expected a duration such as 90s, 15m, 6h or 7d, found '99999999999999999999d'"#),
        BadFile(
            "{ network: { maxBody: '8mb' } }", #"1: network.maxBody: expected a size such as 500KB or 8MB, found '8mb'"#
        ),
        BadFile("{ network: { maxBody: '1GB' } }", #"1: network.maxBody: '1GB' is not between 1KB and 32MB"#),
        BadFile(
            "{ network: { contact: 'a\\r\\nCookie: b' } }",
            #"1: network.contact: invalid text 'a\u{d}\nCookie: b': use at most 200 printable ASCII characters, without (, ) and \"#
        ),
    ]

    private static let wrongSources = [
        BadFile(
            "{ sources: [\n {} ] }",
            #"2: sources[0]: missing key 'name'"#,
            #"2: sources[0]: missing key 'type'"#),
        BadFile(
            "{ sources: [ { name: 'My jokes', type: 'official-joke-api' } ] }",
            #"1: sources[0].name: invalid name 'My jokes': use 1 to 32 characters of a-z, 0-9 and -"#),
        BadFile(
            "{ sources: [ { name: 'starter', type: 'official-joke-api' } ] }",
            #"1: sources[0].name: name 'starter' is reserved for the bundled jokes"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-jokes-api' } ] }",
            #"1: sources[0].type: unknown source type 'official-jokes-api': did you mean 'official-joke-api'?"#),
        BadFile(
            "{ sources: [\n { name: 'a', type: 'official-joke-api', interval: '6x' } ] }",
            #"2: sources[0].interval: expected a duration such as 90s, 15m, 6h or 7d, found '6x'"#),
        BadFile(
            "{ sources: [\n { name: 'a', type: 'official-joke-api' },\n { name: 'a', type: 'official-joke-api' } ] }",
            #"3: sources[1].name: name 'a' is already used by sources[0]"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune' } ] }",
            #"1: sources[0]: missing key 'path' (the file or folder to read)"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune', path: 'riddles' } ] }",
            #"1: sources[0].path: expected an absolute path, found 'riddles'"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', path: '/srv', optional: true } ] }",
            "1: sources[0].optional: does not apply to source type 'official-joke-api'",
            "1: sources[0].path: does not apply to source type 'official-joke-api'"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', url: 'file:///etc/passwd' } ] }",
            "1: sources[0].url: expected an http or https URL"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', url: 'ftp://user:secret@example.org' } ] }",
            "1: sources[0].url: expected an http or https URL"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api',\n url: 'http://example.org' } ] }",
            #"2: sources[0].url: use https, or set "allowLocalNetwork": true if you trust the network"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune', path: '/a', filter: { safe: 1 } } ] }",
            "1: sources[0].filter.safe: expected true or false, found 1"),
    ]

    private static let manyMistakes = [
        BadFile(
            """
            {
              "sources": [
                { "name": "a", "type": "fortune", "paht": "/a" },
                { "name": "a", "type": "fortunes", "interval": "0s" },
              ],
              "feed": { "size": true },
              "networks": {},
            }
            """,
            #"3: sources[0]: missing key 'path' (the file or folder to read)"#,
            #"3: sources[0]: unknown key 'paht': did you mean 'path'?"#,
            #"4: sources[1].interval: '0s' is not between 1s and 365d"#,
            #"4: sources[1].name: name 'a' is already used by sources[0]"#,
            #"4: sources[1].type: unknown source type 'fortunes': did you mean 'fortune'?"#,
            "6: feed.size: expected a whole number, found true",
            #"7: unknown key 'networks': did you mean 'network'?"#)
    ]
}
