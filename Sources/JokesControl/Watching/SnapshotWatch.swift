import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// Follows the daemon's snapshot for `jokesctl watch`, and reconnects. One thread waits in poll(2) for the daemon and
/// for the reader of the output.
final class SnapshotWatch {
    /// Gets a difference, or a whole snapshot, and the snapshot after it.
    typealias Take = (_ reply: WatchMethod.Reply, _ snapshot: JokeSnapshot) throws -> Void

    private let paths: [String]
    private let view: Wire.View?
    private let output: Int32
    private let waitsForFirst: Bool
    private let timeout: Duration
    /// True from a call of `lost` until the next reply.
    private var isUnreachable = false
    private var wasReached = false
    private var followed = FollowedSnapshot()
    private var pauses = RetryPauses()

    /// If there is no daemon at the start, `run` throws unless `waitsForFirst`. `timeout` is the timeout of the first
    /// reply.
    init(
        paths: [String], view: Wire.View?, printingTo output: Int32, waitsForFirst: Bool = false,
        timeout: Duration = .seconds(10)
    ) {
        (self.paths, self.view, self.output) = (paths, view, output)
        (self.waitsForFirst, self.timeout) = (waitsForFirst, timeout)
    }

    /// Passes on every change until the reader of the output is gone. `lost` and `found` are called once for each time
    /// that the daemon is unreachable.
    ///
    /// - Throws: `ClientError` if the daemon refuses, or cannot be reached at the start.
    func run(lost: (ClientError) throws -> Void, found: () throws -> Void = {}, take: Take) throws {
        while let reason = try follow(found, take) {
            if !wasReached && !waitsForFirst { throw reason }
            if !isUnreachable { try lost(reason) }
            isUnreachable = true
            let pause = BootInstant.now.advanced(by: pauses.next(after: reason, random: .random(in: 0..<1)))
            if try waitForInput(nil, orReaderGoneFrom: output, until: pause) == .readerGone { return }
        }
    }

    /// Follows over one connection. Returns the reason for its end; nil if the reader is gone.
    private func follow(_ found: () throws -> Void, _ take: Take) throws -> ClientError? {
        followed.begin()
        do {
            let client = try connectToFirst(of: paths, within: .seconds(5))
            let replies = try client.stream(
                WatchMethod.fullName, followed.parameters(view: view), returning: WatchMethod.Reply.self)
            var limit: BootInstant? = .now.advanced(by: timeout)
            while let reply = try next(replies, of: client, until: limit) {
                limit = nil
                if isUnreachable { try found() }
                (isUnreachable, wasReached) = (false, true)
                if let whole = try followed.take(reply), let snapshot = followed.snapshot,
                    reply.difference != Wire.Difference(base: reply.generation)
                {
                    try take(whole, snapshot)
                }
                pauses.reset()
            }
            return nil
        } catch let error as VarlinkError {
            return try Self.recoverable(ClientError(error))
        } catch let error as ClientError {
            // An inconsistent snapshot must be replaced.
            if case .timedOut = error {} else { followed.forget() }
            return error
        }
    }

    private static func recoverable(_ error: ClientError) throws(ClientError) -> ClientError {
        switch error {
        case .unreachable, .timedOut, .broken, .refused(.busy), .refused(.cannotStart): return error
        case .noAddress, .refused, .unknownError, .unexpected: throw error
        }
    }

    /// Waits for the next reply; nil if the reader of the output is gone.
    private func next(
        _ replies: VarlinkReplies<WatchMethod.Reply>, of client: VarlinkClient, until limit: BootInstant?
    ) throws -> WatchMethod.Reply? {
        while true {
            do {
                guard let reply = try replies.next(timeout: .zero) else { throw VarlinkError.disconnected }
                return reply
            } catch VarlinkError.timedOut {
                switch try waitForInput(client.fileDescriptor, orReaderGoneFrom: output, until: limit) {
                case .input: continue
                case .readerGone: return nil
                case .timeout: throw ClientError.timedOut(after: timeout)
                }
            }
        }
    }
}
