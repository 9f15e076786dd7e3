import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Invalid parameters: each is refused by name, and the connection stays usable.
@Suite struct RefusedInputTests {
    /// A call, and its invalid parameter.
    private struct Call {
        let method: String
        let wrong: String
        let make: (VarlinkClient) throws(VarlinkError) -> Void

        init<Method: JokesMethod>(_ method: Method.Type, _ parameters: Method.Parameters, wrong: String) {
            self.method = Method.name
            self.wrong = wrong
            make = { client throws(VarlinkError) in
                _ = try client.call(Method.fullName, parameters, returning: Method.Reply.self)
            }
        }
    }

    private var calls: [Call] {
        let sizes = [Int.min, -1, 0, 101, Int.max]
        let cursors = ["", "x", "-1", "1.-2", "1.941.5321870.117.5.1", "favorites x", "\u{1F600}"]
        let tooLong = String(repeating: "é", count: 501)
        var calls = sizes.flatMap { size in
            [
                Call(ListMethod.self, .init(limit: size), wrong: "limit"),
                Call(FavoritesMethod.self, .init(limit: size), wrong: "limit"),
                Call(SearchMethod.self, .init(.init(query: "a", limit: size)), wrong: "limit"),
            ]
        }
        calls += sizes.map { Call(SuggestMethod.self, .init(what: .id, prefix: "", limit: $0), wrong: "limit") }
        calls += cursors.flatMap { cursor in
            [
                Call(ListMethod.self, .init(cursor: cursor), wrong: "cursor"),
                Call(FavoritesMethod.self, .init(cursor: cursor), wrong: "cursor"),
                Call(SearchMethod.self, .init(.init(query: "a", cursor: cursor)), wrong: "cursor"),
                Call(ExportMethod.self, .init(cursor: cursor), wrong: "cursor"),
            ]
        }
        calls += [-1, 0, 1_001].map { Call(WatchMethod.self, .init(view: View(size: $0)), wrong: "view.size") }
        calls += ["", tooLong].map { Call(SearchMethod.self, .init(.init(query: $0)), wrong: "query") }
        calls += [Int.min, 0].map { Call(RandomMethod.self, .init(maxLength: $0), wrong: "maxLength") }
        calls += [
            Call(GetMethod.self, .init(id: ""), wrong: "id"), Call(FavoriteMethod.self, .init(ids: [""]), wrong: "ids"),
            Call(UnfavoriteMethod.self, .init(ids: [""]), wrong: "ids"),
            Call(HideMethod.self, .init(ids: [""]), wrong: "ids"),
            Call(UnhideMethod.self, .init(ids: [""]), wrong: "ids"),
            Call(SuggestMethod.self, .init(what: .source, prefix: tooLong), wrong: "prefix"),
            Call(WatchMethod.self, .init(view: View(size: 1, start: -1)), wrong: "view.start"),
            Call(WatchMethod.self, .init(view: View(query: "")), wrong: "view.query"),
            Call(RandomMethod.self, .init(language: .init(not: [tooLong])), wrong: "language"),
            Call(
                ListMethod.self, .init(.init(source: .init(only: Array(repeating: "a", count: 101)))), wrong: "source"),
            Call(WatchMethod.self, .init(view: View(query: tooLong)), wrong: "view.query"),
            Call(
                WatchMethod.self, .init(view: View(selection: .init(category: .init(only: [tooLong])))),
                wrong: "view.category"),
            Call(WatchMethod.self, .init(view: View(sections: [.unknown("")])), wrong: "view.sections"),
        ]
        return calls
    }

    @Test("each invalid parameter is refused by name, on one connection, and the next call is answered")
    func named() throws {
        let daemon = try DaemonUnderTest()
        let client = try VarlinkClient(connectingTo: daemon.socket)
        let note = String(repeating: "a", count: 501)
        let id = try #require(try daemon.json("list", as: [PrintedJoke].self).first?.id)
        for call in calls + [Call(FavoriteMethod.self, .init(ids: [id], note: note), wrong: "note")] {
            do throws(VarlinkError) {
                try call.make(client)
                Issue.record("\(call.method) accepted an invalid \(call.wrong)")
            } catch .refused(let error) {
                #expect(error == .invalidParameter(call.wrong), "\(call.method)")
            }
        }
        _ = try client.call(StatusMethod.fullName, JokesProtocol.NoParameters(), returning: StatusMethod.Reply.self)
    }
}
