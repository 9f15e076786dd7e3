import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// Follows the daemon's picture for `jokesctl watch`, over one connection after another.
///
/// One thread, which waits in poll(2) for the daemon and for whoever reads what is printed.
final class PictureWatch {
    /// What is new.
    struct Change {
        /// What leads to the picture from the one before: a difference, or a whole snapshot in one.
        let reply: WatchMethod.Reply
        /// The picture now.
        let snapshot: JokeSnapshot
    }

    private let paths: [String]
    private let view: Wire.View?
    private let output: Int32
    private let waitsForFirst: Bool
    private let patience: Duration
    /// The daemon is not there, and that was told.
    private var isAway = false
    private var wasThere = false
    private var picture = FollowedPicture()
    private var pauses = RetryPauses()

    /// What is printed goes to the descriptor. A daemon that never was there is waited for only where that is said; one that
    /// takes the call is away where it says nothing for the time.
    init(
        paths: [String], view: Wire.View?, printingTo output: Int32, waitsForFirst: Bool = false,
        patience: Duration = .seconds(10)
    ) {
        self.paths = paths
        self.view = view
        self.output = output
        self.waitsForFirst = waitsForFirst
        self.patience = patience
    }

    /// Hands on every change until nobody is left who reads what is printed.
    ///
    /// A daemon that goes away after it was there is waited for; `lost` is told why, once for each time, and `found` that
    /// it is back.
    /// - Throws: `ClientError` where it cannot be reached at first, or refuses; what the bodies throw.
    func run(
        lost: (ClientError) throws -> Void, found: () throws -> Void = {}, take: (Change) throws -> Void
    ) throws {
        while case .lost(let reason) = try follow(found, take) {
            if !wasThere && !waitsForFirst { throw reason }
            if !isAway { try lost(reason) }
            isAway = true
            let pause = BootInstant.now.advanced(by: pauses.next(after: reason, random: .random(in: 0..<1)))
            if try waitForInput(nil, orReaderGoneFrom: output, until: pause) == .readerGone { return }
        }
    }

    /// How one connection ends.
    private enum End {
        case readerGone
        case lost(ClientError)
    }

    private func follow(_ found: () throws -> Void, _ take: (Change) throws -> Void) throws -> End {
        picture.begin()
        do {
            let client = try connectToFirst(of: paths, within: .seconds(5))
            let replies = try client.stream(
                WatchMethod.fullName, picture.parameters(view: view), returning: WatchMethod.Reply.self)
            var limit: BootInstant? = .now.advanced(by: patience)
            while let reply = try next(replies, of: client, until: limit) {
                limit = nil
                if isAway { try found() }
                (isAway, wasThere) = (false, true)
                if let change = try change(reply) { try take(change) }
                pauses.reset()
            }
            return .readerGone
        } catch let error as VarlinkError {
            return try Self.end(ClientError(error))
        } catch let error as ClientError {
            // Of a picture that contradicts itself only a whole one helps.
            if case .silent = error {} else { picture.forget() }
            return .lost(error)
        }
    }

    private static func end(_ error: ClientError) throws(ClientError) -> End {
        switch error {
        case .unreachable, .silent, .broken, .refused(.busy), .refused(.cannotStart): return .lost(error)
        case .noAddress, .refused, .misunderstood, .unexpected: throw error
        }
    }

    /// Waits for the next reply; nil where nobody reads what is printed any more.
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
                case .timeout: throw ClientError.silent(for: patience)
                }
            }
        }
    }

    /// Nil for a piece that others follow, and for a difference of nothing.
    private func change(_ reply: WatchMethod.Reply) throws(ClientError) -> Change? {
        guard let whole = try picture.take(reply), let snapshot = picture.snapshot else { return nil }
        if reply.difference == Wire.Difference(base: reply.generation) { return nil }
        return Change(reply: whole, snapshot: snapshot)
    }
}
