import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// A client of `Watch` that reads only when it is told to, and keeps the picture.
final class Watcher {
    private var replies: VarlinkReplies<WatchMethod.Reply>?
    private var followed = FollowedPicture()
    private(set) var last: WatchMethod.Reply?

    /// Asks the daemon for a view, or as a message of the test's own says.
    init(_ daemon: DaemonUnderTest, view: Wire.View? = nil, asking parameters: WatchMethod.Parameters? = nil) throws {
        try connect(daemon, parameters ?? followed.parameters(view: view))
    }

    private func connect(_ daemon: DaemonUnderTest, _ parameters: WatchMethod.Parameters) throws {
        // No message is larger than the protocol says.
        replies = try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
            .stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self)
    }

    /// Hangs up, and keeps the picture.
    func leave() {
        replies = nil
    }

    /// Asks for what it lacks, of the same view or of another.
    func comeBack(_ daemon: DaemonUnderTest, view: Wire.View? = nil) throws {
        followed.begin()
        try connect(daemon, followed.parameters(view: view))
    }

    /// The picture now: the differences so far applied to the snapshot.
    var picture: JokeSnapshot {
        get throws {
            // In two steps: the macro cannot look into what cannot be copied.
            let snapshot = followed.snapshot
            return try #require(snapshot)
        }
    }

    var favorites: [JokeID] {
        get throws {
            try picture.itemIdentifiers.compactMap { if case .favorite(let id) = $0 { id } else { nil } }
        }
    }

    var jokes: [JokeID] {
        get throws {
            try picture.itemIdentifiers.compactMap { if case .joke(let id) = $0 { id } else { nil } }
        }
    }

    /// Waits for the next message, which must fit what is here.
    @discardableResult
    func next() throws -> WatchMethod.Reply {
        let reply = try #require(try replies?.next(timeout: .seconds(60)))
        last = reply
        _ = try followed.take(reply)
        return reply
    }

    /// Waits for the whole first picture, and returns its pieces.
    @discardableResult
    func begin() throws -> [WatchMethod.Reply] {
        var pieces = [try next()]
        while pieces.last?.complete == false { pieces.append(try next()) }
        return pieces
    }

    /// Reads on until the picture is as it should be, and returns what came.
    @discardableResult
    func next(until condition: (Watcher) throws -> Bool) throws -> [WatchMethod.Reply] {
        var taken: [WatchMethod.Reply] = []
        while try !condition(self) { taken.append(try next()) }
        return taken
    }

    /// Has somebody star the joke, or take its star, and reads on until that is in the picture.
    func see(_ id: JokeID, toggledBy caller: JokesConnection) throws {
        let isStarred = try favorites.contains(id)
        try caller.toggle(id, isStarred: isStarred)
        try next { try $0.favorites.contains(id) != isStarred }
    }
}

extension DaemonUnderTest {
    /// A daemon with so many jokes of one file, each filled up to so many bytes, all of them there.
    static func telling(
        _ count: Int, bytesEach size: Int = 0, filling: String = " And on."
    ) async throws -> DaemonUnderTest {
        let folder = try TemporaryFolder()
        let jokes = (1...count).map { number in
            let text = "Joke number \(number) goes on and on."
            return text + String(repeating: filling, count: max(0, size - text.utf8.count) / filling.utf8.count)
        }
        let file = try folder.write(jokes.map { $0 + "\n%\n" }.joined(), to: "fortunes")
        let daemon = try DaemonUnderTest(configuration: tellingConfiguration(file, maxLength: 8192))
        try await waitUntil("the jokes are there") {
            try daemon.json("sources", as: [PrintedSource].self).allSatisfy { $0.shown == count && !$0.syncing }
                && !daemon.isTellingOfSyncs
        }
        return daemon
    }

    /// What such a daemon is configured with.
    static func tellingConfiguration(_ file: String, maxLength: Int) -> String {
        #"{"sources": [\#(fortuneSource(file))], "filter": {"maxLength": \#(maxLength)}}"#
    }
}
