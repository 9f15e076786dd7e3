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

    private func daemon(_ jokes: [String]) async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        try await serve(jokes, daemon)
        return daemon
    }

    /// Configures a file with these jokes as the only source. Its name has their number, so each file is another
    /// source.
    private func serve(_ jokes: [String], _ daemon: DaemonUnderTest) async throws {
        let name = "f\(jokes.count)"
        let file = try daemon.folder.write(jokes.map { $0 + "\n%\n" }.joined(), to: name)
        try daemon.reload(configuration(fortuneSource(file, name: name)))
        try await daemon.waitForSyncs()
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
        let daemon = try await daemon(jokes)
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
        try await serve(jokes + ["A duck, a goose, a dog, a duckling."], daemon)
        try check("more jokes came")
        #expect(
            try watchers[0].snapshot.itemIdentifiers(inSection: .searchResults).contains { "\($0)".contains("f61") })
    }

    @Test("a single reply has the same results; a view has as many rows as its size, and the total count")
    func sizes() async throws {
        let daemon = try await daemon(jokes)
        for size in [1, 7, 50, 1000] {
            let view = View(query: "zebra", sections: [.searchResults], size: size)
            let watcher = try Watcher(daemon, view: view)
            try watcher.begin()
            try watcher.next { try $0.jokes.count == min(size, 60) }
            let once = try daemon.connect().call(WatchMethod.self, WatchMethod.Parameters(view: view))
            #expect(try Wire.snapshot(of: try #require(once.snapshot)) == watcher.snapshot)
            #expect(
                try watcher.snapshot.sections == [.searchResults(query: "zebra", count: 60, isExact: true)])
        }
    }

    @Test("a query without a word to find has no results", arguments: ["-duck", "!?", " ", "\"\""])
    func nothing(query: String) throws {
        let daemon = try DaemonUnderTest()
        let watcher = try Watcher(daemon, view: View(query: query))
        try watcher.begin()
        #expect(try watcher.snapshot.sections == [.searchResults(query: cleanText(query), count: 0, isExact: true)])
        #expect(try watcher.snapshot.numberOfItems == 0)
    }

    @Test("a client that watches another view gets the snapshot of that view")
    func typing() async throws {
        let daemon = try await daemon(jokes)
        let watcher = try Watcher(daemon, view: View(query: "d"))
        try watcher.begin()
        try watcher.next { try agrees($0, "d", daemon) }
        for query in ["du", "duck", "duck go", "goose "] {
            watcher.leave()
            try watcher.comeBack(daemon, view: View(query: query))
            try watcher.begin()
            #expect(try agrees(watcher, query, daemon), "\(query)")
        }
        // Then a view of everything, and one of nothing.
        for view in [View(), View(sections: []), View(sections: [.jokes], size: 3)] {
            watcher.leave()
            try watcher.comeBack(daemon, view: view)
            try watcher.begin()
            let fresh = try Watcher(daemon, view: view)
            try fresh.begin()
            #expect(try watcher.snapshot == fresh.snapshot)
        }
    }

    @Test("at most 32 searches are watched; the next one gets Busy until another ends")
    func bounded() async throws {
        let daemon = try DaemonUnderTest()
        var watchers = try (1...32).map { try Watcher(daemon, view: View(query: "word\($0)")) }
        for watcher in watchers { try watcher.begin() }
        func ask(_ view: View) throws -> VarlinkError? {
            do throws(VarlinkError) {
                let client = try VarlinkClient(connectingTo: daemon.socket)
                let parameters = WatchMethod.Parameters(view: view)
                _ = try client.stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self).next()
                return nil
            } catch {
                return error
            }
        }
        guard case .refused(let refusal) = try ask(View(query: "one more")) else {
            Issue.record("a search above the limit was accepted")
            return
        }
        #expect(refusal.name == "org.jokesd.Jokes.Busy")
        // Queries that are already watched, and views without a query, need no additional slot.
        #expect(try ask(View(query: "word7")) == nil && ask(View()) == nil)
        watchers.removeFirst()
        try await waitUntil("another search can be watched") { try ask(View(query: "one more")) == nil }
    }
}

extension Section {
    fileprivate var count: Int? {
        if case .searchResults(_, let count, _, _) = self { count } else { nil }
    }
}
