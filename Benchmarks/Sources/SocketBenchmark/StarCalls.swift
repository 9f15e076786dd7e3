import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// Somebody who gives a star to one joke and takes it away again, by turns.
final class StarCalls {
    /// What one of them took, in milliseconds.
    struct Times {
        let untilAnswered: Double
        let untilLast: Double
        /// What each of the audience was sent.
        let bytes: [Int]
    }

    private let connection: RawConnection
    private let calls: [[UInt8]]
    private var count = 0

    init(to daemon: MeasuredDaemon) throws {
        let newest = try daemon.connect().call(ListMethod.self, ListMethod.Parameters(limit: 1)).jokes
        guard let id = newest.first?.joke.id.rawValue else { throw Audience.Failure(description: "there is no joke") }
        calls = ["Favorite", "Unfavorite"].map { RawConnection.call($0, parameters: #"{"id":"\#(id)"}"#) }
        connection = try RawConnection(to: daemon.socket)
    }

    /// Makes the next call, and waits until the last of the audience has the whole difference.
    func next(before audience: Audience) throws -> Times {
        let start = now()
        try connection.send(calls[count % 2])
        try connection.receive()
        let answered = now()
        let bytes = try audience.receiveEach()
        count += 1
        return Times(untilAnswered: (answered - start) / 1e3, untilLast: (now() - start) / 1e3, bytes: bytes)
    }

    /// Makes the next call, and waits for its answer alone.
    func next() throws {
        try connection.send(calls[count % 2])
        try connection.receive()
        count += 1
    }
}
