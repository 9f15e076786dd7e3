import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Watchers of random views at a real daemon that read, stop, leave and return at random.
@Suite struct RandomWatchersTests {
    /// A watcher and its view.
    private final class Client {
        let watcher: Watcher
        var view: View
        /// It has sent a call and not read the answer.
        var expectsAnswer = true

        init(_ daemon: DaemonUnderTest, _ view: View) throws {
            self.view = view
            watcher = try Watcher(daemon, view: view)
        }
    }

    private func randomView(_ random: inout SplitMix64) -> View {
        func some(_ random: inout SplitMix64) -> Set<Section.ID> {
            Set(Section.ID.allCases.filter { _ in random.chance(1, in: 2) })
        }
        return View(
            query: random.chance(1, in: 2)
                ? ["joke", "on", "number 1", "\"goes on\"", "zebra"][random.int(in: 0..<5)] : nil,
            sections: random.chance(1, in: 4) ? some(&random) : nil,
            size: random.chance(1, in: 2) ? random.int(in: 1..<40) : nil)
    }

    @Test("after any views, pauses and reconnections, every watcher has the snapshot that a new one gets")
    func random() async throws {
        let daemon = try await DaemonUnderTest.withJokes(60, bytesEach: 500)
        var random = SplitMix64(seed: testSeed)
        let connection = try daemon.connect()
        let ids = try daemon.json("list", as: [PrintedJoke].self).map(\.id)
        let clients = try (0..<12).map { _ in try Client(daemon, randomView(&random)) }
        for _ in 0..<scaled(300) {
            let id = ids[random.int(in: 0..<ids.count)]
            switch random.int(in: 0..<4) {
            case 0: _ = try connection.call(FavoriteMethod.self, .init(ids: [id], note: "\(random.int(in: 0..<3))"))
            case 1: _ = try connection.call(UnfavoriteMethod.self, .init(ids: [id]))
            case 2: _ = try connection.call(HideMethod.self, .init(ids: [id]))
            default: _ = try connection.call(UnhideMethod.self, .init(ids: [id]))
            }
            let client = clients[random.int(in: 0..<clients.count)]
            if random.chance(1, in: 6) {
                // Before its first complete snapshot, it has no generation to return with.
                if client.watcher.last?.complete == nil && client.watcher.last?.difference == nil { continue }
                client.watcher.leave()
                if random.chance(1, in: 2) { client.view = randomView(&random) }
                try client.watcher.comeBack(daemon, view: client.view)
                client.expectsAnswer = true
            }
            if client.expectsAnswer {
                try client.watcher.next()
                client.expectsAnswer = false
            }
        }
        for (number, client) in clients.enumerated() {
            if client.expectsAnswer { try client.watcher.next() }
            let fresh = try Watcher(daemon, view: client.view)
            try fresh.begin()
            try await waitUntil("watcher \(number) of \(client.view) sees it; JOKESD_TEST_SEED=\(testSeed) repeats it")
            {
                if try client.watcher.snapshot == fresh.snapshot { return true }
                try client.watcher.next()
                return false
            }
        }
    }
}
