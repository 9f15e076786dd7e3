import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Views with a selection, and the same selection in every method.
@Suite struct SelectedViewTests {
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

    @Test("if the joke of the day is hidden, another one is served for the rest of the day")
    func today() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let first = try client.call(TodayMethod.self, NoParameters()).joke.id
        _ = try client.call(HideMethod.self, .init(ids: ["last"]))
        #expect(try client.call(GetMethod.self, .init(id: first.rawValue)).isHidden)
        let other = try client.call(TodayMethod.self, NoParameters()).joke.id
        #expect(other != first)
        #expect(try client.call(TodayMethod.self, NoParameters()).joke.id == other)
        withExtendedLifetime(daemon) {}
    }
}
