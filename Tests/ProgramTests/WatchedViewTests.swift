import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// The views of a watcher. Properties:
///
/// 1. A single reply has the same snapshot as a stream. A watcher gets only the changes of its view.
/// 2. With a query, the results are those of `Search`, with its order and marks, after any change.
/// 3. After any other view, a client gets the snapshot of the view that it requests, by a difference if that is known
///    and smaller.
@Suite struct WatchedViewTests {
    @Test("a call without more returns the same snapshot in one reply")
    func once() async throws {
        let daemon = try await DaemonUnderTest.withJokes(230)
        for view in [View(size: 250), View(size: 2), View(sections: [.favoriteJokes]), View()] {
            let watcher = try Watcher(daemon, view: view)
            try watcher.begin()
            let reply = try daemon.connect().call(WatchMethod.self, WatchMethod.Parameters(view: view))
            #expect(reply.complete == true)
            #expect(try Wire.snapshot(of: try #require(reply.snapshot)) == watcher.snapshot)
        }
    }

    @Test("a view of one section gets only the changes of that section")
    func sections() throws {
        let daemon = try DaemonUnderTest()
        let favorites = try Watcher(daemon, view: View(sections: [.favoriteJokes]))
        let jokes = try Watcher(daemon, view: View(sections: [.jokes], size: 2))
        try favorites.begin()
        try jokes.begin()
        #expect(try favorites.snapshot.numberOfSections == 0 && jokes.snapshot.sectionIdentifiers == [.jokes])
        let caller = try daemon.connect()
        let all: [PrintedJoke] = try daemon.json("list")
        // The last joke is not one of the two in the other view.
        for id in [all[all.count - 1].id, all[0].id].map(JokeID.init(rawValue:)) {
            try caller.toggle(id, isFavorite: false)
        }
        try favorites.next { try $0.favorites.count == 2 }
        #expect(try favorites.snapshot.sectionIdentifiers == [.favoriteJokes])
        let replies = try jokes.next { try $0.snapshot.item(for: .joke($0.jokes[0]))?.isFavorite == true }
        #expect(replies.map { $0.difference?.updatedItems?.count } == [1])
    }

    @Test("a served joke is seen in every view that shows it, also in those with a selection or a query")
    func seen() async throws {
        let daemon = try await DaemonUnderTest.serving((0..<30).map { "Duck \($0) swims." }, name: "ducks")
        let views = [
            View(size: 100), View(selection: JokeSelection(source: "ducks"), size: 100),
            View(query: "swims", size: 100),
        ]
        let watchers = try views.map { try Watcher(daemon, view: $0) }
        for watcher in watchers { try watcher.begin() }
        func seen(_ watcher: Watcher) throws -> [JokeID] {
            try watcher.snapshot.items.compactMap { item in
                switch item {
                case .joke(let joke): joke.isSeen ? joke.id : nil
                case .found(let found): found.joke.isSeen ? found.joke.id : nil
                default: nil
                }
            }
        }
        #expect(try watchers.allSatisfy { try seen($0).isEmpty })
        let served = try daemon.connect().call(RandomMethod.self, .init(source: "ducks")).joke.id
        for watcher in watchers { try watcher.next { try seen($0) == [served] } }
    }

    @Test("a watcher that returns with epoch and generation gets the missed changes as one difference")
    func difference() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try Watcher(daemon)
        try watcher.begin()
        watcher.leave()
        let (known, ids) = (try #require(watcher.last), try watcher.jokes.prefix(3))
        let caller = try daemon.connect()
        for id in ids { try caller.toggle(id, isFavorite: false) }
        try watcher.comeBack(daemon)
        let message = try watcher.next()
        #expect(message.snapshot == nil && message.difference?.base == known.generation)
        let inserted = message.difference?.insertedItems?.flatMap(\.items).map(\.id)
        #expect(inserted == ids.reversed().map(Item.ID.favorite))
        #expect(message.difference?.updatedItems?.count == 3)
        let fresh = try Watcher(daemon)
        try fresh.begin()
        #expect(try watcher.snapshot == fresh.snapshot)
    }

    @Test("one new joke among fifty is a message of less than 1 KiB")
    func size() async throws {
        let daemon = try await DaemonUnderTest.withJokes(60)
        let watcher = try Watcher(daemon)
        try watcher.begin()
        let before = try watcher.jokes
        #expect(before.count == 50)
        let text =
            "Why did the new joke wait at the door of the feed? It had heard that fifty are in there, and all old."
        let file = try daemon.folder.write(text + "\n%\n", to: "news")
        let configuration = String(
            decoding: try contentsOfFile(daemon.folder.path("config.json"), limit: 65536), as: UTF8.self)
        try daemon.reload(
            configuration.replacing(#""sources": ["#, with: #""sources": [\#(fortuneSource(file, name: "news")), "#))
        let messages = try watcher.next { try $0.jokes.first?.rawValue.hasPrefix("news:") == true }
        let message = try #require(messages.last)
        #expect(message.difference?.insertedItems?.flatMap(\.items).count == 1)
        #expect(try watcher.jokes.dropFirst() == before.dropLast())
        #expect(try EncodedReply(message, continues: true).byteCount < 1024)
    }
}

extension Item {
    fileprivate var isFavorite: Bool {
        if case .joke(let joke) = self { joke.isFavorite } else { false }
    }
}
