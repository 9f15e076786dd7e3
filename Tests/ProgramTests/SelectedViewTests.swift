import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Views with a selection, and the same selection in every method.
@Suite struct SelectedViewTests {
    private let selections: [JokeSelection] = [
        JokeSelection(source: "geese"), JokeSelection(category: "Pond"), JokeSelection(language: "DE"),
        JokeSelection(maxLength: 26), JokeSelection(favorites: true), JokeSelection(unseen: true),
        JokeSelection(source: "ducks", maxLength: 26, favorites: true),
        JokeSelection(source: NameSelection(only: ["ducks", "geese"]), language: NameSelection(not: ["de"])),
        JokeSelection(category: NameSelection(only: ["Pond"], not: ["pond"])),
    ]

    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let (folder, random) = (daemon.folder, 0..<30)
        try folder.write(random.map { "Duck \($0) swims.\n%\n" }.joined(), to: "ducks")
        let items = random.map {
            #"{"id": "\#($0)", "content_text": "The goose of number \#($0) walks.", "tags": ["pond", "x\#($0 % 3)"]}"#
        }
        let server = try LoopbackServer()
        server.route(
            "/",
            LoopbackAnswer.json(
                #"{"version": "https://jsonfeed.org/version/1.1", "title": "Geese", "items": [\#(items.joined(separator: ","))]}"#
            ))
        try daemon.reload(
            configuration(
                fortuneSource(folder.path("ducks"), name: "ducks"),
                #"{"name": "geese", "type": "jsonfeed", "url": "\#(server.url)/", "language": "de", "safety": "safe", "allowLocalNetwork": true}"#
            ))
        try await daemon.waitForSyncs()
        return daemon
    }

    /// Returns true if the watcher has the jokes and favorites that List and Favorites return.
    private func agrees(_ watcher: Watcher, _ selection: JokeSelection, _ client: JokesConnection) throws -> Bool {
        let list = try client.call(ListMethod.self, ListMethod.Parameters(selection, limit: 100))
        var header: JokesHeader?
        if case .jokes(let jokes) = try watcher.snapshot.section(for: .jokes) { header = jokes }
        var favorites = selection
        // The section of favorites ignores it.
        favorites.unseen = nil
        let selected = try client.call(FavoritesMethod.self, FavoritesMethod.Parameters(favorites, limit: 100))
        return try watcher.jokes == list.jokes.map(\.id) && header?.shown == list.total
            && watcher.favorites == selected.favorites.map(\.id)
    }

    @Test("a view shows the jokes and favorites that List and Favorites select, and follows changes")
    func live() async throws {
        let daemon = try await daemon()
        let client = try daemon.connect()
        let ids = try client.call(ListMethod.self, ListMethod.Parameters(limit: 100)).jokes.map(\.id.rawValue)
        _ = try client.call(FavoriteMethod.self, .init(ids: [ids[0], ids[31], ids[40]]))
        let watchers = try selections.map { try Watcher(daemon, view: View(selection: $0, size: 100)) }
        for watcher in watchers { try watcher.begin() }
        func check() throws {
            for (selection, watcher) in zip(selections, watchers) {
                try watcher.next { try agrees($0, selection, client) }
            }
        }
        try check()
        #expect(try watchers.dropLast().allSatisfy { try !$0.jokes.isEmpty } && watchers.last?.jokes == [])
        _ = try client.call(HideMethod.self, .init(ids: [ids[3], ids[33]]))
        try check()
        _ = try client.call(UnfavoriteMethod.self, .init(ids: [ids[0]]))
        try check()
        let served = try client.call(RandomMethod.self, .init(source: "ducks")).joke.id
        let unseen = watchers[5]
        try unseen.next { try !$0.jokes.contains(served) }
    }

    @Test("a served joke is seen in every view that shows it, also in those with a selection or a query")
    func seen() async throws {
        let daemon = try await daemon()
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

    @Test("random jokes, searches and statistics have the selection that the list has")
    func everywhere() async throws {
        let daemon = try await daemon()
        let client = try daemon.connect()
        let ids = try client.call(ListMethod.self, ListMethod.Parameters(limit: 100)).jokes.map(\.id.rawValue)
        _ = try client.call(FavoriteMethod.self, .init(ids: [ids[0], ids[31], ids[40]]))
        for selection in selections.dropLast() {
            let list = try client.call(ListMethod.self, ListMethod.Parameters(selection, limit: 100))
            let listed = Set(list.jokes.map(\.id))
            let words = SearchMethod.Parameters(.init(query: "swims OR walks", limit: 100), selection)
            let found = try client.call(SearchMethod.self, words)
            let isFromSources: (JokeID) -> Bool = { !$0.rawValue.hasPrefix("starter:") }
            #expect(Set(found.found.map(\.joke.id)) == listed.filter(isFromSources), "\(selection)")
            let statistics = try client.call(StatisticsMethod.self, selection)
            #expect(statistics.jokes == list.total && statistics.sources.map(\.jokes).reduce(0, +) == list.total)
        }
        for selection in selections.dropLast() where selection.unseen == nil {
            let list = try client.call(ListMethod.self, ListMethod.Parameters(selection, limit: 100))
            let random = try client.call(RandomMethod.self, selection).joke.id
            #expect(list.jokes.map(\.id).contains(random), "\(selection)")
        }
        let wrong = #expect(throws: ClientError.self) {
            try client.call(RandomMethod.self, JokeSelection(source: "nobody"))
        }
        guard case .refused(.unknownName(what: .source, name: "nobody", nearest: nil)) = wrong else {
            Issue.record("an unknown source gives \(String(describing: wrong))")
            return
        }
    }

    @Test("the joke of the day is the same for every call and after a restart, until it is hidden")
    func today() async throws {
        let daemon = try await daemon()
        let first = try daemon.connect().call(TodayMethod.self, NoParameters())
        for _ in 0..<3 {
            let again = try daemon.connect().call(TodayMethod.self, NoParameters())
            #expect(again.joke.id == first.joke.id && again.date == first.date)
            _ = try daemon.connect().call(RandomMethod.self, .init())
        }
        let details = try daemon.connect().call(GetMethod.self, .init(id: first.joke.id.rawValue))
        #expect(details.serveCount >= 1 && details.lastServed != nil && !details.isHidden)
        try daemon.kill()
        try daemon.start()
        let client = try daemon.connect()
        #expect(try client.call(TodayMethod.self, NoParameters()).joke.id == first.joke.id)
        _ = try client.call(HideMethod.self, .init(ids: ["last"]))
        #expect(try client.call(GetMethod.self, .init(id: first.joke.id.rawValue)).isHidden)
        let other = try client.call(TodayMethod.self, NoParameters())
        #expect(other.joke.id != first.joke.id)
        #expect(try client.call(TodayMethod.self, NoParameters()).joke.id == other.joke.id)
    }

    @Test("a short ID stands for its joke in every method")
    func shortIDs() async throws {
        let daemon = try await daemon()
        let client = try daemon.connect()
        let jokes = try client.call(ListMethod.self, ListMethod.Parameters(.init(source: "ducks"), limit: 100)).jokes
        let ids = jokes.map(\.id.rawValue)
        let short = try client.call(AbbreviateMethod.self, .init(ids: ids)).ids
        #expect(Set(short).count == ids.count && short.allSatisfy { $0.hasPrefix("ducks~") && $0.utf8.count < 20 })
        for (short, id) in zip(short, ids) {
            #expect(try client.call(GetMethod.self, .init(id: short)).joke.id.rawValue == id)
        }
        #expect(try client.call(HideMethod.self, .init(ids: [short[0]])).ids == [ids[0]])
        #expect(
            try client.call(FavoriteMethod.self, .init(ids: [short[1]])).favorites[0].id.rawValue == ids[1])
    }
}
