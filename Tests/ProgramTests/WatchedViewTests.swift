import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The views of a watcher. Properties:
///
/// 1. A snapshot has the sections and the number of rows of its view.
/// 2. A single reply has the same snapshot as a stream. A watcher gets only the changes of its view.
/// 3. With a query, the results are those of `Search`, with its order and marks, after any change.
/// 4. After any other view, a client gets the snapshot of the view that it requests, by a difference if that is known
///    and smaller.
/// 5. An invalid view is refused with the name of the invalid member.
@Suite struct WatchedViewTests {
    @Test("a view has as many rows as its size, if enough jokes are cached, also in a large view")
    func sizes() async throws {
        let daemon = try await DaemonUnderTest.withJokes(230)
        let all: [PrintedJoke] = try daemon.json("list")
        #expect(all.count > 300)
        for size in [1, 3, 50, 120, 1000] {
            let watcher = try Watcher(daemon, view: View(size: size))
            try watcher.begin()
            #expect(try watcher.jokes.map(\.rawValue) == all.prefix(size).map(\.id))
            guard case .jokes(let header) = try watcher.snapshot.section(for: .jokes) else {
                Issue.record("no section of jokes")
                continue
            }
            #expect(header.shown == all.count)
        }
        let usual = try Watcher(daemon)
        try usual.begin()
        #expect(try usual.jokes.count == 50)
    }

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

    private static let impossible: [(View, String)] = [
        (View(size: 0), "view.size"), (View(size: -1), "view.size"), (View(start: -1), "view.start"),
        (View(size: 1001), "view.size"),
        (View(sections: [.unknown("unknown")]), "view.sections"),
        (View(sections: [.jokes, .unknown("")], size: 5), "view.sections"),
        (View(query: ""), "view.query"),
        (View(query: String(repeating: "a", count: 1001)), "view.query"),
    ]

    @Test("an invalid view is refused with the name of the invalid member")
    func refused() throws {
        let daemon = try DaemonUnderTest()
        for (view, parameter) in Self.impossible {
            let client = try VarlinkClient(connectingTo: daemon.socket)
            let parameters = WatchMethod.Parameters(view: view)
            for isStream in [false, true] {
                do throws(VarlinkError) {
                    if isStream {
                        _ = try client.stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self)
                            .next()
                    } else {
                        _ = try client.call(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self)
                    }
                    Issue.record("\(view) was accepted")
                } catch .refused(let error) {
                    #expect(error == .invalidParameter(parameter))
                }
            }
        }
    }
}

extension Item {
    fileprivate var isFavorite: Bool {
        if case .joke(let joke) = self { joke.isFavorite } else { false }
    }
}
