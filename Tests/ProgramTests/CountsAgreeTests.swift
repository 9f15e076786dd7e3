import JokesClient
import JokesCore
import JokesProtocol
import SQLite
import TestSupport
import Testing
import Unix

/// Status, Sources, List, Hidden, Statistics and Watch of one daemon: their numbers agree with each other and with the
/// database.
@Suite struct CountsAgreeTests {
    private static let sources = ["ducks", "geese", "swans"]

    @Test("the numbers of jokes agree after random changes of filters, sources, marks, imports and the cache size")
    func agreement() async throws {
        var random = SplitMix64(seed: testSeed)
        let daemon = try DaemonUnderTest(configuration: #"{"sources": []}"#)
        let client = try daemon.connect()
        var known: [String] = []
        for step in 0..<scaled(100) {
            do {
                try await change(daemon, client, known, &random)
                let selection = try selection(client, &random)
                func differences() throws -> [String] {
                    try self.differences(daemon, client) + self.differences(client, of: selection)
                }
                try await waitUntil("the numbers agree: \(try differences().joined(separator: "; "))") {
                    try differences().isEmpty
                }
                let list = try client.call(ListMethod.self, ListMethod.Parameters(limit: 100))
                let hidden = try client.call(HiddenMethod.self, .init(limit: 100))
                known = list.jokes.map(\.id.rawValue) + hidden.hidden.map(\.joke.id.rawValue)
            } catch {
                throw BrokenProperty("JOKESD_TEST_SEED=\(testSeed) repeats it; step \(step): \(error)")
            }
        }
    }

    private func change(
        _ daemon: DaemonUnderTest, _ client: JokesConnection, _ known: [String], _ random: inout SplitMix64
    ) async throws {
        let id = known.randomElement(using: &random) ?? "starter:1"
        do {
            switch random.int(in: 0..<25) {
            case 0..<5: _ = try client.call(HideMethod.self, .init(ids: [id]))
            case 5..<7: _ = try client.call(UnhideMethod.self, .init(ids: [id]))
            case 7, 8: _ = try client.call(FavoriteMethod.self, .init(ids: [id]))
            case 9: _ = try client.call(UnfavoriteMethod.self, .init(ids: [id]))
            case 10..<13: _ = try client.call(RandomMethod.self, .init())
            case 13, 14: try importJoke(client, &random)
            case 15: _ = try client.call(ForgetMethod.self, .init(source: Self.sources.randomElement(using: &random)!))
            case 16..<18:
                let name = Self.sources.randomElement(using: &random)!
                try daemon.folder.write(jokes(&random), to: name)
                try client.stream(RefreshMethod.self, .init(sources: [name])) { _ in }
            case 18, 19: _ = try client.call(UndoMethod.self, NoParameters())
            case 20: _ = try client.call(MarkSeenMethod.self, .init(ids: [id]))
            case 21: _ = try client.call(MarkUnseenMethod.self, .init(ids: [id]))
            case 22: _ = try client.call(MarkAllSeenMethod.self, .init(source: "starter"))
            default: try daemon.reload(configuration(daemon, &random))
            }
        } catch ClientError.refused {
            // The joke is filtered out, or the source is (or is not) configured.
        }
        try await daemon.waitForSyncs()
    }

    private func importJoke(_ client: JokesConnection, _ random: inout SplitMix64) throws {
        let content = JokeContent(
            text: .single("A duck with the number \(random.int(in: 0..<60)) swims."), language: "en",
            categories: ["pun"],
            flags: [], safety: random.chance(1, in: 2) ? .safe : .unknown)
        let joke = Joke(
            id: JokeID(rawValue: "pond:\(random.int(in: 0..<20))"), content: content, isFavorite: false,
            firstSeen: Timestamp(microseconds: 1))
        let favorite = Favorite(id: joke.id, content: content, favoritedAt: Timestamp(microseconds: 2))
        let record: ExchangeRecord = random.chance(1, in: 2) ? .favorite(favorite) : .joke(joke)
        _ = try client.call(ImportMethod.self, .init(id: nil, [record], isLast: true))
    }

    private func jokes(_ random: inout SplitMix64) -> String {
        (0..<60).filter { _ in random.chance(1, in: 3) }.map { "A duck with the number \($0) swims.\n%\n" }.joined()
    }

    private func configuration(_ daemon: DaemonUnderTest, _ random: inout SplitMix64) throws -> String {
        let used = Self.sources.shuffled(using: &random).prefix(random.int(in: 0..<4))
        for name in used { try daemon.folder.write(jokes(&random), to: name) }
        let sources = used.map { name in
            fortuneSource(daemon.folder.path(name), name: name, safety: random.chance(2, in: 3) ? "safe" : "unknown")
        }
        return """
            {"sources": [\(sources.joined(separator: ", "))],
             "filter": {"words": \(random.chance(1, in: 3) ? #"["7"]"# : "[]"), "safe": \(random.chance(2, in: 3))},
             "cache": {"maxJokes": \(random.chance(1, in: 3) ? 100 : 10_000)}}
            """
    }

    /// Returns a selection and an exclusion of any number of known names.
    private func selection(_ client: JokesConnection, _ random: inout SplitMix64) throws -> JokeSelection {
        func some(_ names: [NameCount], _ random: inout SplitMix64) -> NameSelection {
            NameSelection(
                only: random.chance(1, in: 2) ? [] : names.map(\.name).filter { _ in random.chance(1, in: 2) },
                not: names.map(\.name).filter { _ in random.chance(1, in: 4) })
        }
        let all = try client.call(StatisticsMethod.self, .init())
        return JokeSelection(
            source: some(all.sources, &random), category: some(all.categories, &random),
            language: some(all.languages, &random))
    }

    /// Returns the numbers of a selection that differ.
    private func differences(_ client: JokesConnection, of selection: JokeSelection) throws -> [String] {
        let statistics = try client.call(StatisticsMethod.self, selection)
        let list = try client.call(ListMethod.self, ListMethod.Parameters(selection, limit: 1))
        let view = View(selection: selection, sections: [.jokes], size: 1)
        let watched = try client.call(WatchMethod.self, .init(view: view)).snapshot?.first?.section
        var others = 0
        for source in selection.source?.only ?? [] {
            var one = selection
            one.source?.only = [source]
            others += try client.call(ListMethod.self, ListMethod.Parameters(one, limit: 1)).total
        }
        let shown = if case .jokes(let header)? = watched { header.shown } else { nil as Int? }
        let checks = [
            ("List \(list.total) and Statistics \(statistics.jokes)", list.total == statistics.jokes),
            ("Statistics and its sources", statistics.jokes == statistics.sources.reduce(0) { $0 + $1.jokes }),
            ("Statistics and its languages", statistics.jokes == statistics.languages.reduce(0) { $0 + $1.jokes }),
            ("List \(list.total) and Watch \(shown ?? -1)", list.total == shown),
            ("several sources and each of them", selection.source?.only.isEmpty != false || others == list.total),
        ]
        return checks.filter { !$0.1 }.map { "\($0.0) of \(selection)" }
    }

    /// Returns the numbers that differ.
    private func differences(_ daemon: DaemonUnderTest, _ client: JokesConnection) throws -> [String] {
        let status = try client.call(StatusMethod.self, NoParameters())
        let sources = try client.call(SourcesMethod.self, NoParameters()).sources
        let list = try client.call(ListMethod.self, ListMethod.Parameters(limit: 1))
        let statistics = try client.call(StatisticsMethod.self, .init())
        let hidden = try client.call(HiddenMethod.self, .init(limit: 1))
        let unseen = try client.call(ListMethod.self, ListMethod.Parameters(.init(unseen: true), limit: 1))
        let favorites = try client.call(FavoritesMethod.self, .init(limit: 1))
        let header = try client.call(WatchMethod.self, .init(view: View(sections: [.jokes], size: 1)))
        let stored = try storedCounts(daemon)
        var shown: Int?
        for filled in header.snapshot ?? [] {
            if case .jokes(let header) = filled.section { shown = header.shown }
        }
        let sum = sources.map(\.jokes).reduce(JokeCounts(), +)
        let checks: [(String, Bool)] = [
            ("Status \(status.jokes) and the sum of Sources \(sum)", status.jokes == sum),
            ("Status \(status.jokes) and List \(list.total)", status.jokes.shown == list.total),
            ("Status \(status.jokes) and Watch \(shown ?? -1)", status.jokes.shown == shown),
            ("List \(list.total) and Statistics \(statistics.jokes)", list.total == statistics.jokes),
            ("unseen \(unseen.total) and Statistics \(statistics.unseen)", unseen.total == statistics.unseen),
            ("Status \(status.favorites) and Favorites \(favorites.total)", status.favorites == favorites.total),
            (
                "Sources and Statistics by source",
                Dictionary(uniqueKeysWithValues: statistics.sources.map { ($0.name, $0.jokes) })
                    == Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.jokes.shown) }).filter {
                        $0.value > 0
                    }
            ),
            (
                "hidden groups \(hidden.total), jokes \(sum.hidden)",
                hidden.total <= sum.hidden && (hidden.total > 0) == (sum.hidden > 0)
            ),
            (
                "Sources and the database \(stored)",
                Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.jokes.withoutEvicted) }).filter {
                    $0.value.cached > 0
                } == stored
            ),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }

    /// Counts the rows of the database, without its counters.
    private func storedCounts(_ daemon: DaemonUnderTest) throws -> [String: JokeCounts] {
        let database = try Connection(path: "\(daemon.state)/jokes.sqlite", access: .reading)
        let isHidden = "EXISTS (SELECT 1 FROM hidden h WHERE h.fingerprint = g.fingerprint)"
        let rows = try database.prepare(
            """
            SELECT s.name, count(*), sum(g.shown IS j.key), sum(NOT admitted), sum(NOT admitted AND safety = 'unknown'),
                sum(admitted AND \(isHidden)), sum(admitted AND NOT \(isHidden) AND g.shown IS NOT j.key)
            FROM jokes j JOIN groups g ON g.key = j.joke_group JOIN sources s ON s.key = j.source GROUP BY 1
            """
        ).map { row in
            let counts = JokeCounts(
                cached: try row.read(1), shown: try row.read(2), filteredOut: try row.read(3), unrated: try row.read(4),
                hidden: try row.read(5), duplicates: try row.read(6))
            return (try row.read(0, as: String.self), counts)
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

extension JokeCounts {
    fileprivate var withoutEvicted: JokeCounts {
        var counts = self
        counts.evicted = 0
        return counts
    }
}
