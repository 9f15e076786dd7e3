import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport

/// A client that sets marks and searches until the daemon dies, on its own thread.
///
/// Each visitor has its own jokes, so that the order of its calls is the order of the changes to a joke.
final class Visitor: Sendable {
    private let number: Int
    private let count: Int
    private let socket: String
    private let ledger: Ledger
    private let left: Gate
    /// An unexpected error of a call.
    private let mishap = Locked<String?>(nil)

    /// Starts the visitor with this number out of `count` visitors.
    init(_ number: Int, of count: Int, at socket: String, _ ledger: Ledger, seed: UInt64) throws {
        (self.number, self.count, self.socket, self.ledger) = (number, count, socket, ledger)
        left = try Gate()
        startThread { [self] in
            var random = SplitMix64(seed: seed)
            do {
                try visit(&random)
            } catch ClientError.broken, ClientError.unreachable {
                // The daemon ended.
            } catch {
                mishap.withLock { $0 = "\(error)" }
            }
            left.open()
        }
    }

    /// Waits until the visitor has stopped because the daemon ended.
    func waitForEnd() throws {
        try waitUntil(left.descriptor, isReadyFor: POLLHUP, Deadline(after: .seconds(60)))
        if let mishap = mishap.withLock({ $0 }) { throw BrokenProperty("unexpected error of a visitor: \(mishap)") }
    }

    private func visit(_ random: inout SplitMix64) throws {
        let connection = JokesConnection(to: [socket])
        var ids: [String] = []
        while true {
            if ids.isEmpty || random.chance(1, in: 12) { ids = try look(connection, &random) }
            // Usually a new joke, and sometimes one from an earlier call. The bundled jokes are not in the sources.
            let known = ledger.ids(random.chance(1, in: 2) ? .star : .hidden)
            let pool = random.chance(1, in: 3) && !known.isEmpty ? known : ids
            guard let id = pool.randomElement(using: &random), isOwn(id) else { continue }
            switch random.int(in: 0..<10) {
            case 0..<5: try mark(.star, true, id) { try connection.call(FavoriteMethod.self, .init(ids: [$0])) }
            case 5..<7: try mark(.star, false, id) { try connection.call(UnfavoriteMethod.self, .init(ids: [$0])) }
            case 7: try mark(.hidden, true, id) { try connection.call(HideMethod.self, .init(ids: [$0])) }
            case 8: try mark(.hidden, false, id) { try connection.call(UnhideMethod.self, .init(ids: [$0])) }
            default: _ = try connection.call(SearchMethod.self, .init(.init(query: "quacks numb", limit: 5)))
            }
        }
    }

    private func look(_ connection: JokesConnection, _ random: inout SplitMix64) throws -> [String] {
        let source = ChangingSources.names.randomElement(using: &random)!
        // Starts a sync if one is due; the answer has only the time of the next one.
        _ = try connection.call(RefreshMethod.self, .init(sources: [source]))
        let jokes = try connection.call(ListMethod.self, .init(.init(source: .init(only: [source])), limit: 100)).jokes
        return jokes.map(\.id.rawValue).filter { id in ChangingSources.names.contains { id.hasPrefix("\($0):") } }
            .map { String($0.dropFirst(2)) }
    }

    private func isOwn(_ id: String) -> Bool {
        id.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF % count == number
    }

    private func mark(_ mark: Ledger.Mark, _ isSet: Bool, _ id: String, _ call: (String) throws -> some Any) throws {
        let before = ledger.standing(mark, of: id)
        ledger.ask(mark, of: id)
        do {
            _ = try call("\(id.prefix(1)):\(id)")
            ledger.acknowledge(mark, isSet, of: id)
        } catch ClientError.refused {
            // The daemon refused the change, so the mark is the same as before.
            ledger.restore(mark, before, of: id)
        }
    }
}
