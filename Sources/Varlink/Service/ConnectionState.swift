import Unix

/// What a service can still read from a client and write to it.
///
/// A value without a socket: `ServiceConnection` reports events, and performs the effects and steps.
struct ConnectionState: Hashable {
    enum Input: CaseIterable {
        /// More bytes may arrive.
        case open
        /// The client has ended its input. The calls before the end are answered.
        case ended
        /// A message was invalid, and bytes after it have no meaning. The replies to earlier calls are sent.
        case malformed
    }

    enum Output: CaseIterable {
        /// The socket takes bytes.
        case flowing
        /// The buffer of the socket is full. A writable event follows.
        case blocked
        /// The client reads no more. Replies are dropped, and only calls without a reply are handled.
        case gone
    }

    enum Event: CaseIterable {
        case inputEnded, invalidMessage
        /// The socket took some of the replies, and has no room for the others.
        case socketFull
        /// The socket took all replies.
        case repliesSent
        case hangup
    }

    /// What follows from an event, in this order.
    struct Effects: OptionSet {
        let rawValue: UInt8
        static let dropInput = Effects(rawValue: 1)
        /// Ends the current call and drops its replies.
        static let dropReplies = Effects(rawValue: 2)
        /// Reads the bytes that the kernel still has. The kernel would report the end again and again.
        static let readRest = Effects(rawValue: 4)
        /// Allows the current call to send more replies.
        static let resumeStream = Effects(rawValue: 8)
    }

    /// The bytes and the call of a connection.
    struct Work: Hashable {
        /// True if the current call has no last reply.
        var isCalling: Bool
        /// True if the next call has arrived, or an invalid message.
        var hasCall: Bool
        /// True if a costly call waits for its turn.
        var hasCostlyCall: Bool
        /// True if part of a message has arrived.
        var hasPart: Bool
        /// True if the bytes of later calls are below their limit.
        var hasRoom: Bool
        /// True if replies wait for the socket.
        var hasReplies: Bool
        /// True if these replies are below their limit.
        var takesReplies: Bool
    }

    enum Step: Equatable {
        case takeTurn, takeCostlyTurn
        /// All is done. `isCutOff` is true if the input ended within a message.
        case close(isCutOff: Bool)
        case wait(for: EventLoop.Readiness)
    }

    private(set) var input = Input.open
    private(set) var output = Output.flowing

    /// Changes the state, and returns what follows from that. Events that no longer matter have no effects.
    mutating func handle(_ event: Event) -> Effects {
        switch (event, input, output) {
        case (.inputEnded, .open, _):
            input = .ended
            return []
        case (.invalidMessage, .open, _), (.invalidMessage, .ended, _):
            input = .malformed
            return .dropInput
        case (.socketFull, _, .flowing):
            output = .blocked
            return []
        case (.repliesSent, _, .flowing), (.repliesSent, _, .blocked):
            output = .flowing
            return .resumeStream
        case (.hangup, .open, .flowing), (.hangup, .open, .blocked):
            output = .gone
            return [.dropReplies, .readRest]
        case (.hangup, _, .flowing), (.hangup, _, .blocked):
            output = .gone
            return .dropReplies
        default:
            return []
        }
    }

    /// Returns what the connection does next. Calls are answered in order, one at a time, while the client reads replies.
    func step(_ work: Work) -> Step {
        if !work.isCalling && work.takesReplies {
            if work.hasCostlyCall { return .takeCostlyTurn }
            if work.hasCall { return .takeTurn }
        }
        if input != .open && !work.isCalling && !work.hasCall && !work.hasCostlyCall && !work.hasReplies {
            return .close(isCutOff: input == .ended && work.hasPart)
        }
        var interest: EventLoop.Readiness = []
        // An incomplete message must be read further. The limit of the reader ends that.
        if input == .open && (work.hasRoom || !work.hasCall) { interest.insert(.readable) }
        if output == .blocked { interest.insert(.writable) }
        return .wait(for: interest)
    }
}
