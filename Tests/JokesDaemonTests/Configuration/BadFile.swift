/// A configuration that must be refused, and what must be said of it, without the name of the file.
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
        BadFile("", "1: a value is missing before the end of the file"),
        BadFile("{\n  // feed\n", "3: a key or } is missing before the end of the file"),
        BadFile("{ feed: { size: 5 }\n  filter: {} }", #"2: a , or } is missing before "f""#),
        BadFile("{ feed { size: 5 } }", #"1: a : is missing after the key "feed", before "{""#),
        BadFile("{\n feed: { size: fifty } }", #"2: "fifty" is not a value; text needs quotes around it"#),
        BadFile("{\n feed: { size: eyJhbGciOi } }", "2: this is not a value; text needs quotes around it"),
        BadFile("{ feed: { size: 0123eyJhbGciOi } }", "1: this is not a number"),
        BadFile("{ feed: { size: 0x } }", #"1: "0x" is not a number"#),
        BadFile("{ feed: { size: 007 } }", #"1: "007" is not a number"#),
        BadFile("{ network: {\n contact: \"me } }", "2: this text has no end; put a quote after it"),
        BadFile("{ /* size:\n\n 5", "1: this comment has no end; write */"),
        BadFile("{}\n{}", #"2: the configuration ends before "{""#),
        BadFile(String(repeating: "[", count: 1000), "1: this is nested more than 64 deep"),
    ]

    private static let wrongShapes = [
        BadFile("[]", "1: a list is not an object: { … }"),
        BadFile("null", "1: null is not an object: { … }"),
        BadFile("{ feed: 50 }", "1: feed: 50 is not an object: { … }"),
        BadFile("{ sources: {} }", "1: sources: an object is not a list"),
        BadFile("{ sources: [ 'official' ] }", #"1: sources[0]: "official" is not an object: { … }"#),
        BadFile("{ feed: { size: '50' } }", #"1: feed.size: "50" is not a whole number"#),
        BadFile("{ feed: { size: 2.5 } }", "1: feed.size: 2.5 is not a whole number"),
        BadFile("{ feed: { size: NaN } }", "1: feed.size: nan is not a whole number"),
        BadFile("{ feed: { size: null } }", "1: feed.size: null is not a whole number"),
        BadFile("{ filter: { safe: 'yes' } }", #"1: filter.safe: "yes" is not true or false"#),
        BadFile("{ filter: { words: 'duck' } }", #"1: filter.words: "duck" is not a list"#),
        BadFile("{ filter: { words: ['duck',\n 1] } }", "2: filter.words[1]: 1 is not text in quotes"),
        BadFile("{ network: { timeout: 30 } }", "1: network.timeout: 30 is not a duration; write 90s, 15m, 6h or 7d"),
    ]

    private static let wrongKeys = [
        BadFile(
            "{\n feeds: {} }",
            #"2: feeds: there is no such key; did you mean "feed"?"#),
        BadFile(
            "{ feed: {\n sise: 5 } }",
            #"2: feed.sise: there is no such key; did you mean "size"?"#),
        BadFile(
            "{ feed: { colour: 1 } }",
            "1: feed.colour: there is no such key; there is placeholders, size"),
        BadFile(
            "{ feed: { 'two words': 1 } }",
            #"1: feed["two words"]: there is no such key; there is placeholders, size"#),
        BadFile(
            "{ feed: { '\u{1B}[2J\u{202E}': 1 } }",
            #"1: feed["\u{1b}[2J\u{202e}"]: there is no such key; there is placeholders, size"#),
        BadFile(
            "{ feed: {\n size: 5,\n size: 6 } }",
            "3: feed.size: is there twice, first in line 2"),
    ]

    private static let wrongValues = [
        BadFile("{ feed: { size: 0 } }", "1: feed.size: 0 is not between 1 and 1000"),
        BadFile("{ feed: { placeholders: 101 } }", "1: feed.placeholders: 101 is not between 0 and 100"),
        BadFile("{ filter: { maxLength: -1 } }", "1: filter.maxLength: -1 is not between 1 and 8192"),
        BadFile(
            "{ filter: { flags: ['nsfw', 'sexits'] } }",
            #"1: filter.flags[1]: "sexits" is no flag; did you mean "sexist"?"#),
        BadFile(
            "{ filter: { flags: ['rude'] } }",
            #"1: filter.flags[0]: "rude" is no flag; "#
                + "there is explicit, nsfw, political, racist, religious, sexist"),
        BadFile(
            "{ filter: { languages: ['english'] } }",
            #"1: filter.languages[0]: "english" is not a language; write en, de or pt-BR"#),
        BadFile(
            "{ filter: { words: ['two words'] } }",
            #"1: filter.words[0]: "two words" is not one word of letters and digits"#),
        BadFile("{ network: { timeout: '0s' } }", #"1: network.timeout: "0s" is not between 1s and 10m"#),
        BadFile(
            "{ network: { timeout: '30 s' } }",
            #"1: network.timeout: "30 s" is not a duration; write 90s, 15m, 6h or 7d"#),
        BadFile(
            "{ network: { timeout: '99999999999999999999d' } }",
            #"1: network.timeout: "99999999999999999999d" is not a duration; write 90s, 15m, 6h or 7d"#),
        BadFile("{ network: { maxBody: '8mb' } }", #"1: network.maxBody: "8mb" is not a size; write 500KB or 8MB"#),
        BadFile("{ network: { maxBody: '1GB' } }", #"1: network.maxBody: "1GB" is not between 1KB and 32MB"#),
        BadFile(
            "{ network: { contact: 'a\\r\\nCookie: b' } }",
            #"1: network.contact: "a\u{d}\nCookie: b" is not up to 200 characters of ASCII without brackets and \"#),
    ]

    private static let wrongSources = [
        BadFile(
            "{ sources: [\n {} ] }",
            #"2: sources[0]: the key "name" is missing"#,
            #"2: sources[0]: the key "type" is missing"#),
        BadFile(
            "{ sources: [ { name: 'My jokes', type: 'official-joke-api' } ] }",
            #"1: sources[0].name: "My jokes" is not a name; write 1 to 32 of a-z, 0-9 and -"#),
        BadFile(
            "{ sources: [ { name: 'starter', type: 'official-joke-api' } ] }",
            #"1: sources[0].name: "starter" is the name of the jokes that come with jokesd"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-jokes-api' } ] }",
            #"1: sources[0].type: "official-jokes-api" is no type of source; did you mean "official-joke-api"?"#),
        BadFile(
            "{ sources: [\n { name: 'a', type: 'official-joke-api', interval: '6x' } ] }",
            #"2: sources[0].interval: "6x" is not a duration; write 90s, 15m, 6h or 7d"#),
        BadFile(
            "{ sources: [\n { name: 'a', type: 'official-joke-api' },\n { name: 'a', type: 'official-joke-api' } ] }",
            #"3: sources[1].name: "a" is the name of sources[0] too"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune' } ] }",
            #"1: sources[0]: the key "path" is missing: the file to read"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune', path: 'riddles' } ] }",
            #"1: sources[0].path: "riddles" is not a path that begins with /"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', path: '/srv', optional: true } ] }",
            "1: sources[0].optional: a source of type official-joke-api has no such key",
            "1: sources[0].path: a source of type official-joke-api has no such key"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', url: 'file:///etc/passwd' } ] }",
            "1: sources[0].url: this is not an http or https address"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api', url: 'ftp://user:secret@example.org' } ] }",
            "1: sources[0].url: this is not an http or https address"),
        BadFile(
            "{ sources: [ { name: 'a', type: 'official-joke-api',\n url: 'http://example.org' } ] }",
            #"2: sources[0].url: plain http is taken only with "allowLocalNetwork": true beside it"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'fortune', path: '/a', filter: { safe: 1 } } ] }",
            "1: sources[0].filter.safe: 1 is not true or false"),
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
            #"3: sources[0]: the key "path" is missing: the file to read"#,
            #"3: sources[0].paht: there is no such key; did you mean "path"?"#,
            #"4: sources[1].interval: "0s" is not between 1s and 365d"#,
            #"4: sources[1].name: "a" is the name of sources[0] too"#,
            #"4: sources[1].type: "fortunes" is no type of source; did you mean "fortune"?"#,
            "6: feed.size: true is not a whole number",
            #"7: networks: there is no such key; did you mean "network"?"#)
    ]
}
