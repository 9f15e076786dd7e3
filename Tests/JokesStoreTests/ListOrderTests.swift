import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// The order of the list: the documents of the sources, with the newest pass on top.
@Suite struct ListOrderTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("if the keys of a pass are used up, it continues above all jokes")
    func usedUpKeys() throws {
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.ingest(jokes(0..<1))
        try store.ingest(jokes(1..<2), part: BatchPart(isInFullSync: false))
        let editor = try Connection(path: fixture.databasePath, access: .writing)
        // The joke of the first pass has one of the next three keys.
        try editor.execute("UPDATE sources SET pass_key = (SELECT min(key) FROM jokes) + 2 WHERE name = 'a'")
        try store.ingest(jokes(2..<5), part: BatchPart(isInFullSync: false, beginsPass: false))
        try editor.execute("UPDATE sources SET pass_key = 2 WHERE name = 'a'")
        try store.ingest(jokes(5..<9), part: BatchPart(isInFullSync: false, beginsPass: false))
        #expect(try reader.shownIDs() == [5, 6, 7, 8, 2, 3, 4, 1, 0].map { "a:\($0)" })
    }

    // MARK: Random syncs

    @Test("each source is listed in the order of its document, with any slices, pages, interruptions and evictions")
    func documentOrder() throws {
        try checkProperty("order of documents", cases: 120, generate: { random, _ in random.next() }) {
            var random = SplitMix64(seed: $0)
            try run(&random)
        }
    }

    /// A source whose document grows at the beginning, and its sync.
    private struct Server {
        let name: String
        /// The numbers of the jokes, the newest first.
        var document: [Int]
        let pageSize: Int
        let sliceSize: Int
        /// The page to request next, as the stored position says.
        var page = 0
        /// The number of jokes that were published since the first page was requested: no more than fill the earlier pages.
        var publishedCount = 0
        /// The slices of the last answer that are not stored yet.
        var slices: [[Int]] = []
        var beginsPass = false

        /// Returns the next slice of the sync.
        mutating func nextSlice(_ random: inout SplitMix64) -> (numbers: [Int], part: BatchPart) {
            if slices.isEmpty {
                for _ in 0..<random.int(in: 0..<3) where page == 0 || publishedCount < page * pageSize {
                    document.insert(document.count, at: 0)
                    publishedCount += 1
                }
                if page == 0 { publishedCount = 0 }
                slices = document.dropFirst(page * pageSize).prefix(pageSize).slices(of: sliceSize)
                beginsPass = page == 0
            }
            let slice = slices.removeFirst()
            let part = BatchPart(isInFullSync: false, beginsPass: beginsPass, endsAnswer: slices.isEmpty)
            beginsPass = false
            if slices.isEmpty { page = (page + 1) * pageSize < document.count ? page + 1 : 0 }
            return (slice, part)
        }
    }

    private func run(_ random: inout SplitMix64) throws {
        let fixture = try Fixture()
        // A slice that begins an answer has at least two jokes that were published before the last interruption.
        var servers = ["a", "b", "c"].map { name in
            Server(
                name: name, document: Array((0..<random.int(in: 6..<40)).reversed()),
                pageSize: random.int(in: 5..<50), sliceSize: random.int(in: 4..<12))
        }
        // Sources with evicted jokes share no texts: an eviction of duplicates makes room for other evicted jokes.
        let maxJokes = random.chance(1, in: 2) ? random.int(in: 10..<60) : nil
        let limits = CacheLimits(maxJokes: maxJokes ?? 1_000)
        var store = try fixture.open()
        var reader = try JokeReader(of: store)
        store.assumeIsolated { $0.adopt(limits) }
        for _ in 0..<60 {
            if random.chance(1, in: 6) {
                for index in servers.indices { servers[index].slices = [] }
                store = try fixture.open()
                reader = try JokeReader(of: store)
                store.assumeIsolated { $0.adopt(limits) }
            }
            let index = random.int(in: 0..<servers.count)
            let name = servers[index].name
            let (numbers, part) = servers[index].nextSlice(&random)
            let batch = try numbers.map { number in
                let isShared = maxJokes == nil && number % 4 == 0
                return try joke(name, "\(number)", "Why did duck \(isShared ? "" : name)\(number) cross?")
            }
            let known = try Set(reader.ids(withPrefix: name, limit: 1_000))
            try store.ingest(batch, from: name, part: part)
            let ids = try reader.shownIDs()
            for server in servers {
                let listed = ids.filter { $0.hasPrefix(server.name) }
                let shown = Set(listed)
                let expected = server.document.map { "\(server.name):\($0)" }.filter(shown.contains)
                try verify(listed == expected, "\(listed), not \(expected)")
            }
            if part.beginsPass, let first = batch.first?.id, !known.contains(first), ids.contains(first.rawValue) {
                try verify(ids.first == first.rawValue, "\(ids.first ?? "nothing") is above the new joke \(first)")
            }
            if random.chance(1, in: 3) {
                _ = try store.tidy(limits)
                let kept = try reader.shownIDs()
                for server in servers {
                    let before = ids.filter { $0.hasPrefix(server.name) }
                    let after = kept.filter { $0.hasPrefix(server.name) }
                    try verify(after == Array(before.prefix(after.count)), "\(before) was evicted to \(after)")
                }
            }
        }
    }
}
