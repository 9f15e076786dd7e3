import JSON5
import JokesCore
import JokesDaemon
import TestSupport
import Testing
import Unix

/// jokesd.json(5) says what a configuration may hold.
@Suite struct ManPageTests {
    private let page: ManPage

    init() throws {
        page = try ManPage("jokesd.json.5")
    }

    private func parse(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration.parse(Array(text.utf8), file: "page")
    }

    /// The keys of the lists below the headings, each with its default where the page tells one.
    private func keys(in headings: String...) -> [(name: String, standard: String?)] {
        headings.flatMap(page.items).filter { $0.hasPrefix("Cm ") }.map { item in
            let parts = item.dropFirst("Cm ".count).split(separator: " ; Li ", maxSplits: 1)
            let name = parts[0].prefix { $0 != " " }
            return (String(name), parts.dropFirst().first.map { ManPage.plain($0) })
        }
    }

    /// The keys that may stand where the text has `@`, as the complaint about one that may not lists them.
    private func known(in text: String) -> [String] {
        let error = #expect(throws: ConfigurationError.self) {
            try parse(text.replacing("@", with: #""there-is-none": 0"#))
        }
        let list = error?.description.firstRange(of: "there is no such key; there is ").map { range in
            error!.description[range.upperBound...].prefix { $0 != "\n" }
        }
        return list?.split(separator: ", ").map(String.init) ?? []
    }

    private static let places = [
        ("KEYS", "{@}"), ("THE FILTER", #"{"filter": {@}}"#), ("THE FEED", #"{"feed": {@}}"#),
        ("THE CACHE", #"{"cache": {@}}"#), ("THE NETWORK", #"{"network": {@}}"#),
        ("Members of rate", #"{"sources": [{"type": "rss", "rate": {@}}]}"#),
        ("Members of map", #"{"sources": [{"type": "json", "map": {@}}]}"#),
        ("Members of a condition", #"{"sources": [{"type": "json", "error": {@}}]}"#),
    ]

    @Test("the page lists the keys of every object", arguments: places)
    func keys(of heading: String, in text: String) {
        #expect(keys(in: heading).map(\.name).sorted() == known(in: text))
    }

    private func allKeys(of kind: SourceKind) -> [(name: String, standard: String?)] {
        let network = kind.traits.usesNetwork ? keys(in: "Sources on the network") : []
        let particular =
            kind == .json ? keys(in: "What is asked", "Where the jokes are") : keys(in: "Type \(kind.rawValue)")
        return keys(in: "Every source") + network + particular
    }

    @Test("the page lists the keys of every type of source", arguments: SourceKind.allCases)
    func keys(of kind: SourceKind) {
        #expect(kind == .json || page.headings.contains("Type \(kind.rawValue)"))
        #expect(
            allKeys(of: kind).map(\.name).sorted() == known(in: #"{"sources": [{"type": "\#(kind.rawValue)", @}]}"#))
    }

    @Test("a default that the page tells of changes nothing where it is written", arguments: places)
    func defaults(of heading: String, in text: String) throws {
        for key in keys(in: heading) {
            guard let standard = key.standard else { continue }
            #expect(
                try parse(text.replacing("@", with: #""\#(key.name)": \#(standard)"#)) == Configuration.builtIn,
                "\(key.name): \(standard)")
        }
    }

    /// What a source must have, so that a key means something.
    private func needs(_ kind: SourceKind, beside key: String) -> String {
        switch kind.traits.place {
        case .file: #""path": "/srv/jokes""#
        case .anyURL where key == "first": #""url": "https://example.org/{page}", "strategy": "page""#
        case .anyURL: #""url": "https://example.org/\#(kind == .json ? "{limit}" : "")""#
        case .service: kind.traits.keys.contains("token") ? #""token": "@file:/etc/token""# : #""limit": 9"#
        }
    }

    @Test("so does one of a source", arguments: SourceKind.allCases)
    func defaults(of kind: SourceKind) throws {
        for key in allKeys(of: kind) {
            guard let standard = key.standard else { continue }
            let source = #""name": "a", "type": "\#(kind.rawValue)", \#(needs(kind, beside: key.name))"#
            #expect(
                try parse(#"{"sources": [{\#(source), "\#(key.name)": \#(standard)}]}"#)
                    == parse(#"{"sources": [{\#(source)}]}"#), "\(key.name): \(standard)")
        }
    }

    @Test("every key of the page is in config.example.json, with a word on it")
    func example() throws {
        let path = PlainPython.checkout("config.example.json")
        let example = String(decoding: try contentsOfFile(path, limit: 1 << 20), as: UTF8.self)
        let listed = SourceKind.allCases.flatMap(allKeys) + Self.places.flatMap { keys(in: $0.0) }
        let names = Set(listed.map(\.name))
        // Or the tests above would compare nothing.
        #expect(names.count > 40 && listed.count(where: { $0.standard != nil }) > 40)
        for name in names { #expect(example.contains("\"\(name)\""), "\(name)") }
    }

    @Test("every example of the page is a good configuration")
    func examples() throws {
        let displays = page.displays(in: "EXAMPLES")
        #expect(displays.count == 4)
        for text in displays { #expect(try parse(text).sources.count == 1, "\(text)") }
    }
}
