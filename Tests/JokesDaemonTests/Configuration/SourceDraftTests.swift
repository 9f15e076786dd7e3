import JokesCore
import JokesProtocol
import Testing
import Varlink

@testable import JokesDaemon

/// The entries of new sources.
@Suite struct SourceDraftTests {
    private func draft(
        _ parameters: ProbeMethod.Parameters, taken: Set<String> = [], cached: [String: String] = [:]
    ) throws -> SourceDraft {
        try SourceDraft(parameters, SourceDraft.Names(configured: taken, cached: cached))
    }

    private func refusal(_ parameters: ProbeMethod.Parameters) -> JokesError? {
        do {
            _ = try draft(parameters)
            return nil
        } catch {
            return error as? JokesError
        }
    }

    @Test("every preset is a valid source that needs no key", arguments: SourcePreset.all)
    func presets(_ preset: SourcePreset) throws {
        let draft = try draft(ProbeMethod.Parameters(type: preset.name))
        let source = try draft.configuration()
        #expect(draft.isComplete && source.name == preset.name && source.kind.rawValue == preset.entry.type)
        #expect(source.token == nil && source.headers.isEmpty && !source.allowLocalNetwork)
        #expect(source.url?.hasPrefix("https://") ?? (source.kind.traits.origin.url != nil))
        // Only a service that rates its jokes, and those that the project has rated, are not called unrated.
        let language = source.languages.first ?? source.kind.traits.language
        let isRated = source.defaults.safety == .safe || source.kind.traits.ratedLanguages.contains(language)
        #expect(preset.summary.contains("unrated") != isRated)
        #expect(source.safety == nil)
    }

    @Test("preset names are unique source names, and there are at least six services besides the source types")
    func names() {
        let names = SourcePreset.all.map(\.name)
        #expect(Set(names).count == names.count && names.allSatisfy(SourceConfiguration.isName))
        #expect(SourcePreset.all.count { $0.entry.type == "json" || $0.entry.type == "rss" } >= 6)
    }

    @Test(
        "the name of a source is made from the host of its URL",
        arguments: [
            ("https://www.example.org/jokes.json", "example"), ("https://api.jokes.example.co.uk/", "example"),
            ("http://127.0.0.1:8080/a", ""), ("https://[::1]/", ""), ("https://a.io", "a"),
            ("https://localhost/x", ""), ("https://EXAMPLE.com?q=1", "example"),
            ("https://xn--mnchen-3ya.de", "xn--mnchen-3ya"),
        ])
    func hosts(url: String, name: String) {
        #expect(SourceConfiguration.name(ofURL: url) == name)
        #expect(name.isEmpty || SourceConfiguration.isName(name))
    }

    @Test("a name that is taken gets a number, unless the client chose it")
    func taken() throws {
        let parameters = ProbeMethod.Parameters(url: "https://example.org/")
        #expect(try draft(parameters, taken: ["example", "example-2"]).entry.name == "example-3")
        #expect(
            try draft(ProbeMethod.Parameters(type: "deno-jokes"), taken: ["deno-jokes"]).entry.name == "deno-jokes-2")
        let named = ProbeMethod.Parameters(url: "https://example.org/", name: "mine")
        #expect(try draft(named, taken: ["mine"]).entry.name == "mine")
    }

    @Test("without a host, the name comes from the title or from the file")
    func titles() throws {
        let address = try draft(ProbeMethod.Parameters(url: "https://127.0.0.1:8080/a"))
        #expect(address.entry.name == "source")
        let titles = [
            "Ducks & Geese: jokes for 2 kids": "ducks-geese-jokes-for-2-kids", "Смешные шутки": "source", "": "source",
            "The very long title of a weblog about ducks": "the-very-long-title-of-a",
        ]
        for (title, name) in titles {
            let named = try address.completed(with: SourceEntry(.rss), title: title)
            #expect(named.entry.name == name && SourceConfiguration.isName(name))
        }
        let file = try draft(ProbeMethod.Parameters(path: "/home/ann/My Jokes.txt"))
        #expect(try file.completed(with: SourceEntry(.fortune), title: nil).entry.name == "my-jokes")
    }

    @Test("the name of cached jokes is taken, unless they have the same requests; a chosen one gets a remark")
    func cached() throws {
        let parameters = ProbeMethod.Parameters(url: "https://example.org/")
        let signature = try draft(ProbeMethod.Parameters(url: "https://example.org/", name: "example"))
            .completed(with: SourceEntry(.rss), title: nil).configuration().requestSignature
        #expect(try draft(ProbeMethod.Parameters(type: "jester"), cached: ["jester": "a"]).entry.name == "jester-2")
        let feed = try draft(parameters, cached: ["example": signature]).completed(with: SourceEntry(.rss), title: nil)
        #expect(try feed.entry.name == "example" && feed.remarkOnName == nil)
        var named = parameters
        named.name = "example"
        #expect(try draft(named, cached: ["example": "other"]).remarkOnName?.contains("forget example") == true)
    }

    @Test("the entry is JSON with the keys in reading order")
    func text() throws {
        let draft = try draft(
            ProbeMethod.Parameters(url: "http://localhost/feed", name: "mine", allowLocalNetwork: true, safety: .safe))
        #expect(
            draft.text == """
                {
                  "name": "mine",
                  "type": "json",
                  "url": "http://localhost/feed",
                  "allowLocalNetwork": true,
                  "safety": "safe"
                }
                """)
        let whole = try draft.completed(with: SourceEntry(.json, items: "/a", map: [.text: "/b"]), title: nil)
        #expect(whole.text.contains("\"items\": \"/a\",\n  \"map\": {\n    \"text\": \"/b\"\n  }\n}"))
        #expect(whole.text.contains("\"safety\": \"safe\"") && whole.isComplete)
        // A recognized source may have its own URL, and its own rating if the user gives none.
        var found = SourceEntry(.json, url: "https://example.org/?page={page}", strategy: .page)
        found.safety = "unknown"
        #expect(try draft.completed(with: found, title: nil).entry.safety == "safe")
        let added = try self.draft(ProbeMethod.Parameters(url: "https://example.org/?page=1")).completed(
            with: found, title: nil)
        #expect(added.entry.safety == "unknown" && added.entry.url == found.url)
        #expect(try added.configuration().json?.strategy == .page)
    }

    @Test(
        "an entry that cannot be added is refused with the next step",
        arguments: [
            (ProbeMethod.Parameters(url: "ftp://example.org"), "url: expected an http or https URL", nil),
            (
                ProbeMethod.Parameters(url: "http://example.org"),
                #"url: use https, or set "allowLocalNetwork": true if you trust the network"#,
                "--local-network"
            ),
            (ProbeMethod.Parameters(url: "https://e.org", name: "A b"), "name: invalid name 'A b'", nil),
            (ProbeMethod.Parameters(type: "deno-jokes", name: "starter"), "name: name 'starter' is reserved", nil),
            (ProbeMethod.Parameters(type: "rss"), "there is no preset 'rss'", "jokesctl source add"),
            (ProbeMethod.Parameters(type: "nothing"), "there is no preset 'nothing'", "jokesctl source add"),
        ] as [(ProbeMethod.Parameters, String, String?)])
    func refused(parameters: ProbeMethod.Parameters, reason: String, hint: String?) throws {
        guard case .sourceFailed(let given, let step)? = refusal(parameters) else {
            Issue.record("not refused")
            return
        }
        #expect(given.contains(reason), "\(given)")
        #expect(hint.map { step?.contains($0) == true } ?? (step == nil), "\(step ?? "")")
    }
}
