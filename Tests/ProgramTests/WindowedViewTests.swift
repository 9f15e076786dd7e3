import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Views with a start. `WatchedViewTests` lists the properties.
@Suite struct WindowedViewTests {
    private static let zebras = (0..<60).map { "Zebra \($0): a duck met \($0 % 3 == 0 ? "a goose" : "a cat")." }

    private func daemon() async throws -> DaemonUnderTest {
        try await .serving(Self.zebras, name: "zebras")
    }

    private func listed(_ daemon: DaemonUnderTest) throws -> [JokeID] {
        let all: [PrintedJoke] = try daemon.json("list", "-n", "1000")
        return all.map { JokeID(rawValue: $0.id) }
    }

    private func start(_ watcher: Watcher) throws -> Int? {
        switch try watcher.snapshot.sections.last {
        case .jokes(let header): header.start
        case .searchResults(_, _, _, let start): start
        default: nil
        }
    }

    @Test(
        "a window has the jokes after its start, or the last ones of the list, and the header says how many are before")
    func windows() async throws {
        let daemon = try await daemon()
        let all = try listed(daemon)
        for (given, size) in [(0, 10), (1, 10), (25, 20), (all.count - 5, 10), (.max, 7), (9, 1000)] {
            let watcher = try Watcher(daemon, view: View(sections: [.jokes], size: size, start: given))
            try watcher.begin()
            let expected = max(0, min(given, all.count - size))
            #expect(try watcher.jokes == Array(all.dropFirst(expected).prefix(size)), "\(given), \(size)")
            #expect(try start(watcher) == expected)
        }
        let found = try daemon.connect().call(SearchMethod.self, .init(.init(query: "goose", limit: 100))).found.map(
            \.joke.id)
        #expect(found.count == 20)
        for (given, size) in [(1, 5), (12, 5), (18, 5), (Int.max, 5)] {
            let watcher = try Watcher(daemon, view: View(query: "goose", size: size, start: given))
            try watcher.begin()
            let expected = max(0, min(given, found.count - size))
            #expect(
                try watcher.snapshot.itemIdentifiers(inSection: .searchResults)
                    == found.dropFirst(expected).prefix(size).map { .joke($0) })
            #expect(try start(watcher) == expected)
        }
        let selection = JokeSelection(source: "zebras")
        let watcher = try Watcher(daemon, view: View(selection: selection, size: 5, start: 30))
        try watcher.begin()
        let selected = all.filter { $0.source == "zebras" }
        #expect(try watcher.jokes == Array(selected.dropFirst(30).prefix(5)) && start(watcher) == 30)
    }

    @Test("new jokes at the top and hidden ones shift a window by differences")
    func shifts() async throws {
        let daemon = try await daemon()
        let watcher = try Watcher(daemon, view: View(size: 20, start: 30))
        try watcher.begin()
        let before = try watcher.jokes
        let herons = (0..<4).map { "Heron \($0).\n%\n" }.joined()
        let sources = [
            fortuneSource(daemon.folder.path("zebras"), name: "zebras"),
            fortuneSource(try daemon.folder.write(herons, to: "herons"), name: "herons"),
        ]
        try daemon.reload(configuration(sources[0], sources[1]))
        try await daemon.waitForSyncs()
        let all = try listed(daemon)
        let replies = try watcher.next { try $0.jokes == Array(all.dropFirst(30).prefix(20)) && start($0) == 30 }
        #expect(try watcher.jokes.dropFirst(4) == before.dropLast(4))
        #expect(replies.allSatisfy { $0.snapshot == nil })
        let connection = try daemon.connect()
        _ = try connection.call(HideMethod.self, .init(ids: [all[3].rawValue, all[40].rawValue]))
        let rest = all.filter { $0 != all[3] && $0 != all[40] }
        try watcher.next { try $0.jokes == Array(rest.dropFirst(30).prefix(20)) }
        try connection.toggle(rest[35], isFavorite: false)
        try watcher.next { try $0.favorites == [rest[35]] }
    }
}
