import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

@testable import JokesDaemon

/// Single properties of publishing, which `HubPropertyTests` lists.
@Suite struct HubTests {
    private let world = HubWorld()

    /// Adds a client that reads its first messages at once.
    private func watcher(
        _ view: View = View(), generation: Int64? = nil
    ) throws -> (stub: StubConnection, number: Int) {
        let stub = StubConnection()
        let number = try world.hub.add(stub, view: view, generation: generation, world.inputs)
        try read(stub, number)
        return (stub, number)
    }

    private func read(_ stub: StubConnection, _ number: Int) throws {
        while try stub.read() { try world.hub.sendNext(to: number) }
    }

    @Test("one search runs per turn, and one for each view, even if the jokes change several times before its turn")
    func searches() throws {
        let queries = ["1", "2", "3"]
        let clients = try queries.map { try watcher(View(query: $0)) }
        _ = try watcher(View(query: "1"))
        let before = world.searches.count
        #expect(before == 3)
        for count in 1..<20 { world.show((0..<count).map { HubWorld.joke($0) }) }
        #expect(world.searches.count == before)
        var turns: [String] = []
        while world.hub.hasWaiting {
            try world.hub.publishNext(world.inputs)
            turns.append(try #require(world.searches.last))
            // If the jokes change after the turn of a view, the view gets another turn after the others.
            if turns.count == 1 { world.show([]) }
        }
        #expect(turns.sorted() == ["1", "2", "3", turns[0]].sorted() && turns[3] == turns[0])
        #expect(world.searches.count == before + 4)
        for (query, client) in zip(queries, clients) {
            try read(client.stub, client.number)
            #expect(try client.stub.followed.snapshot == world.snapshot(View(query: query)))
        }
        // No search runs for clients that have disconnected.
        world.show([HubWorld.joke(1)])
        for client in clients.dropFirst() { world.hub.remove(client.number) }
        try world.publishWaiting()
        #expect(world.searches.count == before + 5)
    }

    @Test("views without a query are published before any search")
    func queriesComeLast() throws {
        let searching = try (0..<Hub.maxSelectiveViews).map { try watcher(View(query: "\($0)")) }
        let plain = try watcher()
        let before = world.searches.count
        world.show([HubWorld.joke(1)])
        try world.hub.publishNext(world.inputs)
        #expect(plain.stub.unread.count == 1 && world.searches.count == before)
        let reported = searching.count { !$0.stub.isDrained }
        #expect(reported == 0)
        for turn in 1...Hub.maxSelectiveViews {
            try world.hub.publishNext(world.inputs)
            #expect(world.searches.count == before + turn)
        }
        #expect(!world.hub.hasWaiting)
    }

    @Test("equal views share one message and its encoding")
    func sharing() throws {
        let clients = try (0..<5).map { _ in try watcher(View(query: "1")) }
        world.show([HubWorld.joke(1), HubWorld.joke(12)])
        try world.publishWaiting()
        let encodings = clients.map { $0.stub.unread[0].frame.withUnsafeBytes(\.baseAddress) }
        #expect(encodings.allSatisfy { $0 == encodings[0] })
        #expect(world.searches == ["1", "1"])
    }

    @Test("the number of watched views, and of those with a query, is limited; the next one gets Busy")
    func limits() throws {
        func isBusy(_ view: View) -> Bool {
            do {
                _ = try watcher(view)
                return false
            } catch {
                return if case JokesError.busy = error { true } else { false }
            }
        }
        var first: Int?
        for number in 1...Hub.maxSelectiveViews { first = try first ?? watcher(View(query: "\(number)")).number }
        for number in 2...Hub.maxSelectiveViews { _ = try watcher(View(query: "\(number)")) }
        #expect(isBusy(View(query: "new")) && !isBusy(View(query: "7")) && !isBusy(View()))
        world.hub.remove(try #require(first))
        #expect(!isBusy(View(query: "new")) && isBusy(View(query: "newer")))
        for size in 1...(Hub.maxViews - Hub.maxSelectiveViews - 1) { _ = try watcher(View(size: size)) }
        #expect(isBusy(View(size: 999)) && !isBusy(View(size: 1)))
    }

    @Test("a history has only the changes of ten thousand favorites, and large changes are limited")
    func historyBytes() throws {
        try world.change { try $0.setFavorites((0..<10_000).map { HubWorld.favorite($0) }) }
        var history = ViewHistory(epoch: "a", snapshot: try world.snapshot(View()), generation: 0)
        let source = try JokeDataSource(history.newest)
        func advance(to next: JokeSnapshot, _ generation: Int64) throws {
            let observation = source.observe { step in
                history.advance(by: step.difference, to: step.finalSnapshot, generation: generation)
            }
            try source.apply(next)
            observation.cancel()
        }
        func generations() -> [Int64] { history.changes.map(\.base) + [history.generation] }
        for number in 1...Int64(100) {
            try world.change { try $0.put(HubWorld.favorite(20_000 + Int(number))) }
            try advance(to: try world.snapshot(View()), number)
        }
        #expect(generations() == Array(68...100))
        // Each change adds a favorite and a header: hundreds of bytes, not megabytes.
        #expect(history.bytes < ViewHistory.maxDifferences * 2048, "\(history.bytes)")
        for number in Int64(101)...120 {
            try world.change { try $0.setFavorites((0..<500).map { HubWorld.favorite($0, note: "\(number)") }) }
            try advance(to: try world.snapshot(View()), number)
        }
        let bytes = history.bytes
        #expect(generations().count > 1 && generations().count < 10, "\(generations())")
        #expect(bytes < ViewHistory.maxBytes + bytes / (generations().count - 1), "\(bytes)")
        #expect(history.changes.map(\.generation) == Array(generations().dropFirst()))
    }

    @Test("a slow client gets all differences since its generation, or a snapshot if it is too far behind")
    func slowClient() throws {
        for (changes, hasDifference) in [(ViewHistory.maxDifferences - 1, true), (ViewHistory.maxDifferences, false)] {
            let (slow, number) = try watcher()
            world.change { $0.syncing = ["\(changes)"] }
            try world.publishWaiting()
            let held = try #require(try slow.nextReply?.generation)
            for turn in 0..<changes {
                try world.change { try $0.put(HubWorld.favorite(turn % 3, note: "\(changes) \(turn)")) }
                try world.publishWaiting()
            }
            world.change { $0.syncing = [] }
            try world.publishWaiting()
            _ = try slow.read()
            try world.hub.sendNext(to: number)
            #expect(try slow.nextReply?.difference?.base == (hasDifference ? held : nil))
            try read(slow, number)
            #expect(try slow.followed.snapshot == world.snapshot(View()))
        }
    }
}
