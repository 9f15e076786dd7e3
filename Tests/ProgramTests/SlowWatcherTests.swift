import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Many concurrent watchers, and watchers that do not read.
@Suite struct SlowWatcherTests {
    @Test("a client that stops reading gets the newest snapshot later, and delays no other client")
    func stoppedReader() async throws {
        // Each change has about 14 KiB, so the socket buffers a few of them and the rest has to wait.
        let daemon = try await DaemonUnderTest.withJokes(10, bytesEach: 7000)
        let (slow, fast, caller) = (try Watcher(daemon), try Watcher(daemon), try daemon.connect())
        try slow.begin()
        try fast.begin()
        let ids = try fast.jokes.prefix(4)
        let changes = 300
        for number in 0..<changes {
            try fast.see(ids[number % ids.count], toggledBy: caller)
        }
        let newest = try #require(fast.last?.generation)
        let missed = try slow.next { $0.last?.generation == newest && $0.last?.complete != false }
        #expect(missed.count < changes / 2)
        // The newest snapshot, and no older one.
        #expect(missed.first { $0.snapshot != nil }?.generation == newest)
        #expect(try slow.snapshot == fast.snapshot)
        // It is up to date again, so it gets the next change like every other watcher.
        try caller.toggle(ids[0], isFavorite: try fast.favorites.contains(ids[0]))
        #expect(try slow.next() == fast.next())
    }

    @Test("two hundred watchers all get a change, and the daemon notices when they leave")
    func crowd() async throws {
        let daemon = try DaemonUnderTest()
        let caller = try daemon.connect()
        var watchers = try (0..<200).map { _ in try Watcher(daemon) }
        for watcher in watchers { try watcher.begin() }
        #expect(try caller.subscribers == 200)
        let id = try #require(try watchers[0].jokes.first)
        try caller.toggle(id, isFavorite: false)
        for watcher in watchers { try watcher.next { try $0.favorites == [id] } }
        let expected = try watchers[0].snapshot
        #expect(try watchers.allSatisfy { try $0.snapshot == expected && $0.last == watchers[0].last })
        watchers = []
        try await waitUntil("no watcher is left") { try caller.subscribers == 0 }
    }
}

extension JokesConnection {
    /// Adds or removes a favorite; returns when the change is on disk.
    func toggle(_ id: JokeID, isFavorite: Bool) throws {
        if isFavorite {
            try #expect(call(UnfavoriteMethod.self, .init(ids: [id.rawValue])).changed == [true])
        } else {
            try #expect(call(FavoriteMethod.self, .init(ids: [id.rawValue])).favorites[0].id == id)
        }
    }

    fileprivate var subscribers: Int {
        get throws { try call(StatusMethod.self, NoParameters()).subscribers }
    }
}
