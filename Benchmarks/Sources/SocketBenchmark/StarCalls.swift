import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// A client that adds and removes a favorite of one joke in turns.
final class StarCalls {
    /// The times of one call, in milliseconds.
    struct Times {
        let untilAnswered: Double
        let untilLast: Double
        /// The number of bytes that each watcher received.
        let bytes: [Int]
    }

    private let connection: RawConnection
    private let calls: [[UInt8]]
    private var count = 0

    init(to daemon: MeasuredDaemon) throws {
        let newest = try daemon.connect().call(ListMethod.self, ListMethod.Parameters(limit: 1)).jokes
        guard let id = newest.first?.id.rawValue else {
            throw Audience.Failure(description: "the daemon has no jokes")
        }
        calls = ["Favorite", "Unfavorite"].map { RawConnection.call($0, parameters: #"{"ids":["\#(id)"]}"#) }
        connection = try RawConnection(to: daemon.socket)
    }

    /// Makes the next call, and waits until the last watcher has the whole difference.
    func next(before audience: Audience) throws -> Times {
        let start = now()
        try call()
        let answered = now()
        let bytes = try audience.receiveEach()
        return Times(untilAnswered: (answered - start) / 1e3, untilLast: (now() - start) / 1e3, bytes: bytes)
    }

    /// Makes the next call, and waits only for its answer.
    func next() throws { try call() }

    private func call() throws {
        try connection.send(calls[count % 2])
        try connection.receive()
        count += 1
        if connection.lastRead.contains(Array(#""error""#.utf8)) {
            throw Audience.Failure(description: "the daemon refused to change the favorite")
        }
    }
}
