/// Sources of type `json` that must be refused. See `BadFile`.
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
            #"1: sources[0]: missing key 'url' (the address to fetch)"#)
    ]

    private static let pointers = [
        json("items: 7", #".items: expected a JSON Pointer such as "/data/0/joke", found 7"#),
        json("items: 'body'", #".items: invalid JSON Pointer 'body': did you mean '/body'?"#),
        json("items: '/a~b'", #".items: invalid JSON Pointer '/a~b': write ~0 for ~ and ~1 for / in a name"#),
        json("items: '/a~'", #".items: invalid JSON Pointer '/a~': write ~0 for ~ and ~1 for / in a name"#),
        json("items: '/*/a/*'", #".items: invalid JSON Pointer '/*/a/*': use * at most once"#),
        json("next: '/a/*', strategy: 'cursor'", #".next: invalid JSON Pointer '/a/*': * is not allowed here"#),
        json("flags: '/a/*/b/*'", #".flags: invalid JSON Pointer '/a/*/b/*': use * at most once"#),
        json("flags: []", ".flags: the list is empty"),
        json("flags: ['/a', 'b']", #".flags[1]: invalid JSON Pointer 'b': did you mean '/b'?"#),
    ]

    private static let strategies = [
        json(
            "strategy: 'pages'", #".strategy: unknown strategy 'pages': did you mean 'page'?"#),
        json("strategy: 'all'", #".strategy: unknown strategy 'all': use one of cursor, page, random, range, whole"#),
        BadFile(
            "{ sources: [ { name: 'a', type: 'json', url: 'https://example.org', strategy: 'cursor' } ] }",
            #"1: sources[0]: missing key 'next' (a JSON Pointer to the next cursor or URL)"#),
        json("size: 0, query: { n: '{limit}' }", ".size: 0 is not between 1 and 10000"),
        json("first: -1, strategy: 'page', query: { p: '{page}' }", ".first: -1 is not between 0 and 1000000000"),
    ]

    private static let placeholders = [
        url(
            "https://example.org/{pgae}", "strategy: 'page'",
            #"unknown placeholder '{pgae}': did you mean 'page'?"#),
        url(
            "https://example.org/", "strategy: 'page'",
            #"strategy 'page' needs {page} in 'url' or 'query'"#),
        url("https://example.org/{x", "strategy: 'whole'", "missing '}' after '{'"),
        url("https://example.org/{\u{1B}}", "strategy: 'whole'", "expected an http or https URL"),
        url(
            "https://example.org/{to}", "strategy: 'range'", #"strategy 'range' needs {from} in 'url' or 'query'"#),
        url("https://{cursor}.example.org/", "strategy: 'cursor', next: '/n'", "only {lang} is allowed in the host"),
        url("https://example.org{limit}", "size: 5", "only {lang} is allowed in the host"),
    ]

    private static let maps = [
        json("map: '/joke'", #".map: expected an object { … }, found '/joke'"#),
        json("map: {}", #".map: missing key 'text': write "text": "/joke", or "setup" and "punchline""#),
        json(
            "map: { punchline: '/p', athor: '/by' }",
            #".map: missing key 'text': write "text": "/joke", or "setup" and "punchline""#,
            #".map: unknown key 'athor': did you mean 'author'?"#),
        json("map: { text: [] }", ".map.text: the list is empty"),
        json("map: { text: ['/a', 'b'] }", #".map.text[1]: invalid JSON Pointer 'b': did you mean '/b'?"#),
        json("map: { text: '/a', id: null }", #".map.id: expected a JSON Pointer such as "/data/0/joke", found null"#),
    ]

    private static let conditions = [
        json("error: true", ".error: expected an object { … }, found true"),
        json("empty: [ 7 ]", ".empty[0]: expected an object { … }, found 7"),
        json("error: { is: 1 }", #".error: missing key 'pointer'"#),
        json(
            "error: { pointer: '/a' }",
            #".error: a condition needs exactly one of 'is', 'not' and 'exists'"#),
        json(
            "error: [ { pointer: '/a', is: 1, not: 2 } ]",
            #".error[0]: a condition needs exactly one of 'is', 'not' and 'exists'"#),
        json("error: { pointer: '/a', exists: 'no' }", #".error.exists: expected true or false, found 'no'"#),
        json(
            "error: { pointer: '/a', is: [] }", ".error.is: expected text, a number, true, false or null, found a list"),
        json(
            "error: { pointer: '/a', not: NaN }", ".error.not: expected text, a number, true, false or null, found nan"),
        json(
            "empty: { pointer: '/a/*', is: 1 }",
            #".empty.pointer: invalid JSON Pointer '/a/*': * is not allowed here"#),
    ]

    private static let words = [
        json("split: 'questions'", #".split: unknown split mode 'questions': did you mean 'question'?"#),
        json("split: true", ".split: expected text in quotes, found true"),
        json("html: 'remove'", #".html: unknown HTML mode 'remove': use one of keep, strip"#),
        json("html: true", ".html: expected text in quotes, found true"),
    ]
}
