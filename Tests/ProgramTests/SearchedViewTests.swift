import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Views with a query. `WatchedViewTests` lists the properties.
@Suite struct SearchedViewTests {
    private let animals = ["duck", "goose", "cat", "dog"]

    /// Jokes about every pair of animals, some of them twice.
    private var jokes: [String] {
        (0..<60).map {
            "Zebra \($0): a \(animals[$0 % 4]) met a \(animals[$0 / 4 % 4]), and the \(animals[$0 % 4]) ran."
        }
    }

    private func search(_ query: String, _ daemon: DaemonUnderTest, limit: Int = 50) throws -> SearchMethod.Reply {
        try daemon.connect().call(SearchMethod.self, .init(.init(query: query, limit: limit)))
    }

    /// True if the watcher's results are the same as those of `Search`.
    private func agrees(_ watcher: Watcher, _ query: String, _ daemon: DaemonUnderTest) throws -> Bool {
        let (found, snapshot) = (try search(query, daemon), try watcher.snapshot)
        let rows: [FoundJoke] = snapshot[.searchResults].compactMap {
            if case .found(let row) = $0 { row } else { nil }
        }
        return rows == found.found
            && snapshot.section(for: .searchResults)
                == .searchResults(query: cleanText(query), count: found.total, isExact: found.exact)
    }

    @Test("the results are those of Search, with their marks, and follow changes of jokes and marks")
    func live() async throws {
        let daemon = try await DaemonUnderTest.serving(jokes)
        let queries = ["duck", "duck goose", "\"a dog\" -cat", "du"]
        let watchers = try queries.map { try Watcher(daemon, view: View(query: $0)) }
        func check(_ what: String) throws {
            for (query, watcher) in zip(queries, watchers) {
                try watcher.next { try agrees($0, query, daemon) }
            }
        }
        for watcher in watchers { try watcher.begin() }
        try check("the jokes are there")
        #expect(try watchers.allSatisfy { try $0.snapshot.numberOfItems(inSection: .searchResults) > 3 })
        let connection = try daemon.connect()
        let first = try #require(try search("duck goose", daemon).found.first?.joke.id)
        try connection.toggle(first, isFavorite: false)
        try check("a joke became a favorite")
        for watcher in watchers { try watcher.next { try $0.favorites == [first] } }
        _ = try connection.call(HideMethod.self, .init(ids: [first.rawValue]))
        try check("a joke was hidden")
        let file = try daemon.folder.write("A duck, a goose, a dog, a duckling.\n", to: "more")
        let sources = configuration(
            fortuneSource(daemon.folder.path("fortunes")), fortuneSource(file, name: "more"))
        try daemon.reload(sources)
        try await daemon.waitForSyncs()
        try check("more jokes came")
        #expect(
            try watchers[0].snapshot.itemIdentifiers(inSection: .searchResults).contains { "\($0)".contains("more:") })
    }

    @Test("a query without a word to find has no results", arguments: ["-duck", "!?", " ", "\"\""])
    func nothing(query: String) throws {
        let daemon = try DaemonUnderTest()
        let watcher = try Watcher(daemon, view: View(query: query))
        try watcher.begin()
        #expect(try watcher.snapshot.sections == [.searchResults(query: cleanText(query), count: 0, isExact: true)])
        #expect(try watcher.snapshot.numberOfItems == 0)
    }
}
