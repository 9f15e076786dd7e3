import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// What a watcher may ask to see. The laws:
///
/// 1. A picture has the sections that its view names, as many rows as it says, and of collapsed sections the header alone.
/// 2. Asked once or watched, the picture is the same; a watcher is told what changes in its view, and of nothing else.
/// 3. With a query, the results are those of `Search`, in its order and with its marks, whatever changes.
/// 4. Whatever view a client comes from, it ends with the picture of the view that it asks for; and by a difference where
///    that is known and smaller.
/// 5. What is impossible is refused by the name of what is wrong.
@Suite struct WatchedViewTests {
    @Test("a view of so many jokes shows as many, though more are cached; a large one shows them all at once")
    func sizes() async throws {
        let daemon = try await DaemonUnderTest.telling(230)
        let all: [PrintedJoke] = try daemon.json("list")
        #expect(all.count > 300)
        for size in [1, 3, 50, 120, 1000] {
            let watcher = try Watcher(daemon, view: Wire.View(size: size))
            try watcher.begin()
            #expect(try watcher.jokes.map(\.rawValue) == all.prefix(size).map(\.id))
            guard case .jokes(let header) = try watcher.picture.section(for: .jokes) else {
                Issue.record("no section of jokes")
                continue
            }
            #expect(header.cached == all.count)
        }
        let usual = try Watcher(daemon)
        try usual.begin()
        #expect(try usual.jokes.count == 50)
    }

    @Test("asked once, without more, it is the same picture in one reply")
    func once() async throws {
        let daemon = try await DaemonUnderTest.telling(230)
        for view in [Wire.View(size: 250), Wire.View(size: 2), Wire.View(sections: ["favoriteJokes"]), Wire.View()] {
            let watcher = try Watcher(daemon, view: view)
            try watcher.begin()
            let reply = try daemon.connect().call(WatchMethod.self, WatchMethod.Parameters(view: view))
            #expect(reply.complete == true)
            #expect(try Wire.snapshot(of: try #require(reply.snapshot)) == watcher.picture)
        }
    }

    @Test("a view of one section is told what changes there, and of nothing else")
    func sections() throws {
        let daemon = try DaemonUnderTest()
        let favorites = try Watcher(daemon, view: Wire.View(sections: ["favoriteJokes"]))
        let jokes = try Watcher(daemon, view: Wire.View(sections: ["jokes"], size: 2))
        try favorites.begin()
        try jokes.begin()
        #expect(try favorites.picture.numberOfSections == 0 && jokes.picture.sectionIdentifiers == [.jokes])
        let caller = try daemon.connect()
        let all: [PrintedJoke] = try daemon.json("list")
        // The last one is not among the two that the other view shows.
        for id in [all[all.count - 1].id, all[0].id].map(JokeID.init(rawValue:)) {
            try caller.toggle(id, isStarred: false)
        }
        try favorites.next { try $0.favorites.count == 2 }
        #expect(try favorites.picture.sectionIdentifiers == [.favoriteJokes])
        let told = try jokes.next { try $0.picture.item(for: .joke($0.jokes[0]))?.isStarred == true }
        #expect(told.map { $0.difference?.updatedItems?.count } == [1])
    }

    private static let impossible: [(Wire.View, String)] = [
        (Wire.View(size: 0), "view.size"), (Wire.View(size: -1), "view.size"), (Wire.View(size: 1001), "view.size"),
        (Wire.View(sections: ["nonsense"]), "view.sections"),
        (Wire.View(sections: ["jokes", ""], size: 5), "view.sections"),
        (Wire.View(collapsed: ["jokes", "nonsense"]), "view.collapsed"), (Wire.View(query: ""), "view.query"),
        (Wire.View(query: String(repeating: "a", count: 1001)), "view.query"),
    ]

    @Test("an impossible view is refused by the name of what is wrong with it", arguments: impossible)
    func refused(view: Wire.View, parameter: String) throws {
        let daemon = try DaemonUnderTest()
        let client = try VarlinkClient(connectingTo: daemon.socket)
        for isStream in [false, true] {
            do throws(VarlinkError) {
                let parameters = WatchMethod.Parameters(view: view)
                if isStream {
                    _ = try client.stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self).next()
                } else {
                    _ = try client.call(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self)
                }
                Issue.record("\(view) was shown")
            } catch .refused(let error) {
                #expect(error == .invalidParameter(parameter))
            }
        }
    }
}

extension Item {
    fileprivate var isStarred: Bool {
        if case .joke(let joke) = self { joke.isStarred } else { false }
    }
}
