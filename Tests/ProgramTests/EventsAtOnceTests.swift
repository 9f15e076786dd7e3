import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// Calls, reloads, damage and the stop at random moments, on several connections.
@Suite struct EventsAtOnceTests {
    private enum Event: CaseIterable { case favorite, refresh, reload, hangup, search, damage }

    @Test("whatever happens at once, every call is answered, no favorite is lost, and the daemon stops")
    func events() async throws {
        var random = SplitMix64(seed: testSeed)
        for _ in 0..<scaled(20) {
            let (daemon, ids) = try await DaemonUnderTest.withDucks(favorites: 3)
            let socket = daemon.socket
            let acknowledged = Locked(Set(ids.prefix(3)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<random.int(in: 1..<30) {
                    switch Event.allCases.randomElement(using: &random)! {
                    case .hangup: daemon.process.signal(SIGHUP)
                    case .damage: try daemon.damagePages(moreThan: 3)
                    case .favorite:
                        let id = ids[number]
                        group.addTask {
                            let parameters = FavoriteMethod.Parameters(ids: [id])
                            if try Self.isAnswered(socket, FavoriteMethod.self, parameters) {
                                acknowledged.withLock { _ = $0.insert(id) }
                            }
                        }
                    case .refresh: group.addTask { _ = try Self.isAnswered(socket, RefreshMethod.self, .init()) }
                    case .reload: group.addTask { _ = try Self.isAnswered(socket, ReloadMethod.self, .init()) }
                    case .search:
                        group.addTask {
                            _ = try Self.isAnswered(socket, SearchMethod.self, .init(.init(query: "road")))
                        }
                    }
                    if random.chance(1, in: 4) { _ = try await group.next() }
                }
                daemon.process.signal(SIGTERM)
                try await group.waitForAll()
            }
            let seed = "JOKESD_TEST_SEED=\(testSeed) repeats it"
            #expect(try daemon.process.waitForEnd() == .exited(0), "\(daemon.process.errors.text); \(seed)")
            daemon.manager.discardAll()
            try daemon.start()
            let lost = try acknowledged.withLock(\.self).subtracting(daemon.favorites())
            #expect(lost.isEmpty, "\(daemon.process.errors.text); \(seed)")
            #expect(try daemon.stop() == .exited(0))
        }
    }

    /// Calls a method. Returns whether the daemon did what was asked; false if it has refused, or was stopping.
    private static func isAnswered<Method: JokesMethod>(
        _ socket: String, _ method: Method.Type, _ parameters: Method.Parameters
    ) throws -> Bool {
        do {
            _ = try JokesConnection(to: [socket]).call(method, parameters)
            return true
        } catch ClientError.timedOut(let time) {
            throw ClientError.timedOut(after: time)
        } catch {
            return false
        }
    }
}
