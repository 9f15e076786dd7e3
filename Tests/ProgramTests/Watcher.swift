import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// A client of `Watch` that reads only on request, and keeps the snapshot.
final class Watcher {
    private var replies: VarlinkReplies<WatchMethod.Reply>?
    private var followed = FollowedSnapshot()
    private(set) var last: WatchMethod.Reply?

    /// Watches a view, or calls `Watch` with the test's own parameters.
    init(_ daemon: DaemonUnderTest, view: View? = nil, asking parameters: WatchMethod.Parameters? = nil) throws {
        try connect(daemon, parameters ?? followed.parameters(view: view))
    }

    private func connect(_ daemon: DaemonUnderTest, _ parameters: WatchMethod.Parameters) throws {
        // The protocol's maximum size of a message.
        replies = try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
            .stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self)
    }

    /// Disconnects, and keeps the snapshot.
    func leave() {
        replies = nil
    }

    /// Reconnects for the missed changes, of the same view or of another.
    func comeBack(_ daemon: DaemonUnderTest, view: View? = nil) throws {
        followed.begin()
        try connect(daemon, followed.parameters(view: view))
    }

    /// The current snapshot, with all differences applied.
    var snapshot: JokeSnapshot {
        get throws {
            // In two steps, because the macro cannot capture a noncopyable value.
            let snapshot = followed.snapshot
            return try #require(snapshot)
        }
    }

    var favorites: [JokeID] {
        get throws {
            try snapshot.itemIdentifiers.compactMap { if case .favorite(let id) = $0 { id } else { nil } }
        }
    }

    var jokes: [JokeID] {
        get throws {
            try snapshot.itemIdentifiers.compactMap { if case .joke(let id) = $0 { id } else { nil } }
        }
    }

    /// Waits for the next message and applies it.
    @discardableResult
    func next() throws -> WatchMethod.Reply {
        let reply = try #require(try replies?.next(timeout: .seconds(60)))
        last = reply
        _ = try followed.take(reply)
        return reply
    }

    /// Waits for the complete first snapshot, and returns its pieces.
    @discardableResult
    func begin() throws -> [WatchMethod.Reply] {
        var pieces = [try next()]
        while pieces.last?.complete == false { pieces.append(try next()) }
        return pieces
    }

    /// Reads until the condition holds, and returns the messages.
    @discardableResult
    func next(until condition: (Watcher) throws -> Bool) throws -> [WatchMethod.Reply] {
        var taken: [WatchMethod.Reply] = []
        while try !condition(self) { taken.append(try next()) }
        return taken
    }

    /// Toggles the favorite through another client, and reads until the snapshot has the change.
    func see(_ id: JokeID, toggledBy caller: JokesConnection) throws {
        let isFavorite = try favorites.contains(id)
        try caller.toggle(id, isFavorite: isFavorite)
        try next { try $0.favorites.contains(id) != isFavorite }
    }
}

extension DaemonUnderTest {
    /// Starts a daemon with this number of jokes in one file, each padded to about `size` bytes; waits until all are
    /// shown.
    static func withJokes(
        _ count: Int, bytesEach size: Int = 0, filling: String = " And on."
    ) async throws -> DaemonUnderTest {
        let folder = try TemporaryFolder()
        let jokes = (1...count).map { number in
            let text = "Joke number \(number) goes on and on."
            return text + String(repeating: filling, count: max(0, size - text.utf8.count) / filling.utf8.count)
        }
        let file = try folder.write(jokes.map { $0 + "\n%\n" }.joined(), to: "fortunes")
        let daemon = try DaemonUnderTest(configuration: fortuneConfiguration(file, maxLength: 8192))
        try await waitUntil("the jokes are shown") {
            try daemon.configuredSources().allSatisfy { $0.jokes.shown == count && !$0.syncing }
                && !daemon.showsSyncs
        }
        return daemon
    }

    /// Returns the configuration of such a daemon.
    static func fortuneConfiguration(_ file: String, maxLength: Int) -> String {
        #"{"sources": [\#(fortuneSource(file))], "filter": {"maxLength": \#(maxLength)}}"#
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
}
