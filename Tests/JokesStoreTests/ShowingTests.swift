import JokesCore
import JokesStore
import TestSupport
import Testing

@Suite struct ShowingTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }

    private func adopt(_ rules: ShowingRules) throws {
        try store.assumeIsolated { store in try store.adopt(rules) }
    }

    @Test("tellings of one joke are shown once: as the first configured source's, then the oldest")
    func shownOnce() throws {
        try store.take([joke("b", "1", "One small duck!"), joke("b", "2", "one small DUCK")], from: "b")
        #expect(try reader.shownIDs() == ["b:1"])
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "*One* small duck")], from: "a")
        #expect(try reader.shownIDs() == ["a:1"])
        #expect(try reader.joke(JokeID(rawValue: "b:2"))?.duplicates.map(\.rawValue) == ["b:1", "a:1", "a:2"])
        #expect(try reader.counts().stored == 4)
    }

    @Test("another order of the sources shows other tellings, at once and after a restart")
    func otherOrder() throws {
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "Two ducks.")], from: "a")
        try store.take([joke("b", "1", "One small duck.")], from: "b")
        try adopt(.everything("b", "a"))
        #expect(try reader.shownIDs() == ["b:1", "a:2"])
        let reopened = try JokeReader(of: fixture.open(rules: .everything("a")))
        #expect(try reopened.shownIDs() == ["a:2", "a:1"])
        #expect(try reopened.counts().sources["b"] == .init(stored: 1, shown: 0, isRemoved: true))
    }

    @Test("an edit takes a joke out of its group, and an edit brings it back")
    func editMoves() throws {
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "One small duck!")])
        try store.take([joke("a", "1", "Another duck.")])
        #expect(try reader.shownIDs() == ["a:2", "a:1"])
        try store.take([joke("a", "1", "ONE small duck.")])
        #expect(try reader.shownIDs() == ["a:1"])
        #expect(try reader.counts().shown == 1)
    }

    @Test("only jokes that pass the filter are shown, and another filter needs no fetch")
    func filter() throws {
        try store.take([
            joke("a", "1", "Clean duck."), joke("a", "2", "Rude duck.", flags: ["nsfw"]),
            joke("a", "3", "Ente.", language: "de"),
        ])
        try store.take([joke("b", "4", "Clean goose.")], from: "b")
        var rules = ShowingRules(sourceOrder: ["a", "b"], filter: JokeFilter(safe: true, languages: ["en"]))
        try adopt(rules)
        #expect(try reader.shownIDs() == ["b:4", "a:1"])
        try store.take([joke("a", "5", "Rude goose.", flags: ["nsfw"])])
        #expect(try reader.shownIDs() == ["b:4", "a:1"])
        #expect(try reader.joke(JokeID(rawValue: "a:5")) == nil)
        #expect(try reader.has(JokeID(rawValue: "a:5")))
        rules.sourceFilters["b"] = JokeFilter(words: ["GOOSE"])
        try adopt(rules)
        #expect(try reader.shownIDs() == ["a:1"])
        #expect(try reader.counts().shown == 1)
        try adopt(.everything("a", "b"))
        #expect(try reader.shownIDs() == ["a:5", "b:4", "a:3", "a:2", "a:1"])
    }

    @Test("a duplicate that fails its source's filter gives way to one that passes")
    func filteredTelling() throws {
        try store.take([joke("a", "1", "One small duck.")], from: "a")
        try store.take([joke("b", "1", "One small duck.")], from: "b")
        var rules = ShowingRules(sourceOrder: ["a", "b"])
        rules.sourceFilters["a"] = JokeFilter(words: ["duck"])
        try adopt(rules)
        #expect(try reader.shownIDs() == ["b:1"])
    }

    @Test("a joke that one source flags or rates unsafe is not shown as another source's safe joke, nor as a favorite")
    func leastSafeDuplicate() throws {
        try store.take([joke("a", "1", "Holy small duck."), joke("a", "2", "One small duck.")], from: "a")
        try store.star("a:1")
        try adopt(ShowingRules(sourceOrder: ["a", "b"]))
        #expect(try reader.shownIDs() == ["a:2", "a:1"])
        try store.take(
            [
                joke("b", "1", "Holy small duck!", flags: ["religious"]),
                joke("b", "2", "ONE small duck", safety: .unsafe),
            ],
            from: "b")
        #expect(try reader.shownIDs() == [] && reader.favoriteIDs() == [])
        #expect(try reader.joke(JokeID(rawValue: "a:1")) == nil)
        try store.take(
            [joke("b", "1", "Another duck."), joke("b", "2", "ONE small duck", safety: .unknown)], from: "b")
        #expect(try reader.shownIDs() == ["b:1", "a:2", "a:1"] && reader.favoriteIDs() == ["a:1"])
    }

    @Test("changed defaults of a source apply to its cached jokes and to its favorites, without a fetch")
    func changedDefaults() throws {
        try store.take([
            joke("a", "1", "One small duck.", language: "und", safety: .unknown),
            joke("a", "2", "Zwei Enten.", language: "de", safety: .safe),
        ])
        try store.star("a:1")
        func shown(_ defaults: SourceDefaults) throws -> [String] {
            try adopt(ShowingRules(sourceOrder: ["a"], sourceDefaults: ["a": defaults]))
            return try reader.shownIDs()
        }
        #expect(try shown(SourceDefaults(language: "en", safety: .safe)) == ["a:2", "a:1"])
        #expect(try reader.shownIDs(JokeSelection(language: "en")) == ["a:1"])
        #expect(try reader.random(JokeSelection(language: "en"))?.id.rawValue == "a:1")
        #expect(try shown(SourceDefaults(language: "fr")) == ["a:2"] && reader.favoriteIDs() == [])
        #expect(try shown(SourceDefaults(configuredSafety: .unsafe)) == [])
        #expect(try shown(SourceDefaults(language: "fr", configuredSafety: .safe)) == ["a:2", "a:1"])
        #expect(try reader.shownIDs(JokeSelection(language: "fr")) == ["a:1"] && reader.favoriteIDs() == ["a:1"])
        #expect(try reader.joke(JokeID(rawValue: "a:1"))?.joke.isStarred == true)
    }

    @Test(
        "jokes of a source that is no longer configured are not shown, its favorites are, and both stay until forgotten"
    )
    func removedSource() throws {
        try store.take([joke("a", "1", "One small duck.")], from: "a")
        try store.take([joke("b", "1", "Two ducks."), joke("b", "2", "Three ducks.")], from: "b")
        try store.star("b:1")
        try adopt(.everything("a"))
        #expect(try reader.shownIDs() == ["a:1"] && reader.favoriteIDs() == ["b:1"])
        #expect(try reader.counts().sources["b"] == .init(stored: 2, shown: 0, isRemoved: true))
        try store.take([joke("b", "3", "A late duck.")], from: "b")
        #expect(try reader.shownIDs() == ["a:1"])
        try adopt(.everything("a", "b"))
        #expect(try reader.shownIDs() == ["b:3", "b:2", "b:1", "a:1"])
        try adopt(.everything("a"))
        let removed = try store.assumeIsolated { store in
            [try store.forget("b", at: Fixture.noon), try store.forget("b", at: Fixture.noon)]
        }
        #expect(try removed == [3, 0] && reader.counts().sources["b"] == nil && reader.favoriteIDs() == ["b:1"])
        try adopt(.everything("a", "b"))
        #expect(try reader.shownIDs() == ["a:1"])
    }

    @Test("jokes of a source that was never configured, such as imported ones, are shown")
    func neverConfigured() throws {
        try store.take([joke("d", "1", "One small duck.")], from: "d")
        #expect(try reader.shownIDs() == ["d:1"])
    }

    @Test("a hidden joke, and every telling of it that comes later, is not shown until it is unhidden")
    func hidden() throws {
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "Two ducks.")])
        func hide(_ isHidden: Bool) throws -> Bool {
            try store.assumeIsolated { store in try store.setHidden(isHidden, JokeID(rawValue: "a:1"), at: Fixture.noon)
            }
        }
        #expect(try hide(true))
        #expect(try !hide(true))
        try store.take([joke("b", "1", "ONE small duck.")], from: "b")
        #expect(try reader.shownIDs() == ["a:2"])
        #expect(try reader.counts().shown == 1)
        #expect(try hide(false))
        #expect(try !hide(false))
        #expect(try reader.shownIDs() == ["a:2", "a:1"])
    }

    @Test(
        "the list is newest first, and its pages neither repeat nor skip while jokes arrive", arguments: [1, 3, 7, 100])
    func paging(limit: Int) throws {
        try store.take(jokes(0..<20))
        var page = try reader.list(limit: limit)
        var ids = page.rows.map(\.id.rawValue)
        var arrivals = 20
        while let cursor = page.next {
            try store.take(jokes(arrivals..<arrivals + 2))
            arrivals += 2
            #expect(PageCursor(cursor.description) == cursor)
            page = try reader.list(after: cursor, limit: limit)
            #expect(page.rows.count <= limit)
            ids += page.rows.map(\.id.rawValue)
        }
        #expect(ids == (0..<20).reversed().map { "a:\($0)" })
        #expect(page.total == arrivals)
    }

    @Test("a list can be of one source, one category, one language, short jokes, or all of these at once")
    func selections() throws {
        try store.take([
            joke("a", "1", "One small duck.", categories: ["Pun", "Birds"]),
            joke("a", "2", "Two ducks.", categories: ["Misc"]),
            joke("a", "3", "Eine Ente.", categories: ["pun"], language: "de-AT"),
        ])
        try store.take(
            [joke("b", "4", "A duck, and then another one.", categories: ["PUN"], language: "en-GB")], from: "b")
        let cases: [(JokeSelection, [String])] = [
            (JokeSelection(), ["b:4", "a:3", "a:2", "a:1"]),
            (JokeSelection(source: "a"), ["a:3", "a:2", "a:1"]),
            (JokeSelection(source: "nowhere"), []),
            (JokeSelection(category: "pUn"), ["b:4", "a:3", "a:1"]),
            (JokeSelection(source: "a", category: "pun"), ["a:3", "a:1"]),
            (JokeSelection(language: "EN"), ["b:4", "a:2", "a:1"]),
            (JokeSelection(language: "e%"), []),
            (JokeSelection(maxLength: 10), ["a:3", "a:2"]),
            (JokeSelection(maxLength: 9), []),
            (JokeSelection(source: "a", category: "pun", language: "de", maxLength: 10), ["a:3"]),
        ]
        for (selection, ids) in cases {
            let page = try reader.list(selection, limit: 50)
            #expect(page.rows.map(\.id.rawValue) == ids, "\(selection)")
            #expect(page.total == ids.count, "\(selection)")
        }
        try store.take([joke("a", "1", "One small duck.", categories: ["Misc"])])
        #expect(try reader.shownIDs(JokeSelection(category: "Birds")) == [])
        #expect(try reader.shownIDs(JokeSelection(category: "misc")) == ["a:2", "a:1"])
    }

    @Test("an id is found by any prefix of it, in any case but its own not at all")
    func prefixes() throws {
        try store.take([
            joke("a", "en:8", "One small duck."), joke("a", "en:81", "Two ducks."), joke("a", "EN:8", "Three."),
        ])
        func ids(_ prefix: String, limit: Int = 10) throws -> [String] {
            try reader.ids(withPrefix: prefix, limit: limit).map(\.rawValue)
        }
        #expect(try ids("a:en:8") == ["a:en:8", "a:en:81"])
        #expect(try ids("a:EN") == ["a:EN:8"])
        #expect(try ids("a", limit: 2) == ["a:EN:8", "a:en:8"])
        #expect(try ids("b") == [])
        #expect(try ids("a:en:_") == [])
    }
}
