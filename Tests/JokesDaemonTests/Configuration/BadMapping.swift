/// Sources of type `json` that must be refused for how they ask or read. See `BadFile`.
extension BadFile {
    static let mappings = places + pointers + strategies + placeholders + maps + conditions + words

    private static func json(_ keys: String, _ complaints: String...) -> BadFile {
        BadFile(
            "{ sources: [ { name: 'a', type: 'json', url: 'https://example.org/jokes',\n\(keys) } ] }",
            complaints.map { "2: sources[0]\($0)" })
    }

    private static func url(_ url: String, _ keys: String, _ complaints: String...) -> BadFile {
        BadFile(
            "{ sources: [ { name: 'a', type: 'json', \(keys),\nurl: '\(url)' } ] }",
            complaints.map { "2: sources[0].url: \($0)" })
    }

    private static let places = [
        BadFile(
            "{ sources: [ { name: 'a', type: 'json' } ] }",
            #"1: sources[0]: the key "url" is missing: the address to ask"#)
    ]

    private static let pointers = [
        json("items: 7", #".items: 7 is not a JSON Pointer; write one as "/data/0/joke""#),
        json("items: 'body'", #".items: "body" is not a JSON Pointer; write "/body""#),
        json("items: '/a~b'", #".items: "/a~b" is not a JSON Pointer; in a name, write ~0 for ~ and ~1 for /"#),
        json("items: '/a~'", #".items: "/a~" is not a JSON Pointer; in a name, write ~0 for ~ and ~1 for /"#),
        json("items: '/a/*'", #".items: "/a/*" leads to many places, and there must be one; write no * in it"#),
        json("flags: '/a/*/b/*'", #".flags: "/a/*/b/*" has more than one *; write one at most"#),
        json("flags: []", ".flags: this list is empty"),
        json("flags: ['/a', 'b']", #".flags[1]: "b" is not a JSON Pointer; write "/b""#),
    ]

    private static let strategies = [
        json(
            "strategy: 'pages'", #".strategy: "pages" is no strategy; did you mean "page"?"#),
        json("strategy: 'all'", #".strategy: "all" is no strategy; there is cursor, page, random, range, whole"#),
        json("first: 2", #".first: does nothing with the strategy "whole"; it belongs to "page" and "range""#),
        json("pages: '/p'", #".pages: does nothing with the strategy "whole"; it belongs to "page""#),
        json("total: '/t'", #".total: does nothing with the strategy "whole"; it belongs to "page" and "range""#),
        json("next: '/n'", #".next: does nothing with the strategy "whole"; it belongs to "cursor""#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'json', url: 'https://example.org', strategy: 'cursor' } ] }",
            #"1: sources[0]: the key "next" is missing: where an answer has the next cursor or URL"#),
        json("size: 30", #".size: does nothing without {limit} in "url" or "query""#),
        json("size: 0, query: { n: '{limit}' }", ".size: 0 is not between 1 and 10000"),
        json("first: -1, strategy: 'page', query: { p: '{page}' }", ".first: -1 is not between 0 and 1000000000"),
    ]

    private static let placeholders = [
        url(
            "https://example.org/{pgae}", "strategy: 'page'",
            #"{pgae} stands for nothing; did you mean "page"?"#),
        url(
            "https://example.org/", "strategy: 'page'",
            #"the strategy "page" needs {page} in it, or in "query""#),
        url("https://example.org/{x", "strategy: 'whole'", "a } is missing after {"),
        url("https://example.org/{\u{1B}}", "strategy: 'whole'", "this is not an http or https address"),
        url(
            "https://example.org/{page}", "strategy: 'whole'",
            #"{page} stands for nothing with the strategy "whole""#),
        url(
            "https://example.org/{to}", "strategy: 'range'", #"the strategy "range" needs {from} in it, or in "query""#),
        url(
            "https://example.org/{lang}", "strategy: 'whole'",
            #"{lang} stands for one of "languages", and there are none"#),
        url("https://{cursor}.example.org/", "strategy: 'cursor', next: '/n'", "only {lang} may be in the host"),
        url("https://example.org{limit}", "size: 5", "only {lang} may be in the host"),
        json("languages: ['en']", #".languages: does nothing without {lang} in "url" or "query""#),
        json(
            "query: { p: '{page}' }", #".query: {page} stands for nothing with the strategy "whole""#),
    ]

    private static let maps = [
        json("map: '/joke'", #".map: "/joke" is not an object: { … }"#),
        json("map: {}", #".map: the joke itself is missing; write "text": "/joke", or "setup" and "punchline""#),
        json(
            "map: { punchline: '/p', athor: '/by' }",
            #".map: the joke itself is missing; write "text": "/joke", or "setup" and "punchline""#,
            #".map.athor: there is no such key; did you mean "author"?"#),
        json("map: { text: [] }", ".map.text: this list is empty"),
        json("map: { text: ['/a', 'b'] }", #".map.text[1]: "b" is not a JSON Pointer; write "/b""#),
        json("map: { text: '/a', id: null }", #".map.id: null is not a JSON Pointer; write one as "/data/0/joke""#),
    ]

    private static let conditions = [
        json("error: true", ".error: true is not an object: { … }"),
        json("empty: [ 7 ]", ".empty[0]: 7 is not an object: { … }"),
        json("error: { is: 1 }", #".error: the key "pointer" is missing"#),
        json(
            "error: { pointer: '/a' }",
            #".error: a condition has one of "is", "not" and "exists" beside "pointer""#),
        json(
            "error: [ { pointer: '/a', is: 1, not: 2 } ]",
            #".error[0]: a condition has one of "is", "not" and "exists" beside "pointer""#),
        json("error: { pointer: '/a', exists: 'no' }", #".error.exists: "no" is not true or false"#),
        json("error: { pointer: '/a', is: [] }", ".error.is: a list is not text, a number, true, false or null"),
        json("error: { pointer: '/a', not: NaN }", ".error.not: nan is not text, a number, true, false or null"),
        json(
            "empty: { pointer: '/a/*', is: 1 }",
            #".empty.pointer: "/a/*" leads to many places, and there must be one; write no * in it"#),
    ]

    private static let words = [
        json("split: 'questions'", #".split: "questions" is no way to split; did you mean "question"?"#),
        json("split: true", ".split: true is not text in quotes"),
        json("html: 'remove'", #".html: "remove" is no way with HTML; there is keep, strip"#),
        json("html: true", ".html: true is not text in quotes"),
    ]
}
