import Unix

/// The part of a call that does not depend on the types of its parameters and replies.
///
/// `@unchecked Sendable`: its state is only used on the loop's thread, which every method checks.
final class CallChannel: @unchecked Sendable {
    private enum State {
        /// A reply is due.
        case open
        /// A reply is due, but the client has gone.
        case abandoned
        case answered
    }

    let peer: VarlinkPeer
    let method: String
    let wantsMore: Bool
    let isOneway: Bool
    private let loop: EventLoop
    /// Nil after the reply or the end of the connection. Until then, call and connection refer to each other: a weak
    /// reference would make each message of a stream slower.
    private var connection: ServiceConnection?
    private var state = State.open
    private var drainedAction: (@Sendable () -> Void)?
    private var closedAction: (@Sendable () -> Void)?

    init(of connection: ServiceConnection, loop: EventLoop, method: String, wantsMore: Bool, isOneway: Bool) {
        self.connection = connection
        self.loop = loop
        self.method = method
        self.wantsMore = wantsMore
        self.isOneway = isOneway
        peer = connection.peer
    }

    // MARK: For the handler

    var isOpen: Bool {
        loop.checkIsolated()
        return state == .open
    }

    var isDrained: Bool {
        loop.checkIsolated()
        return connection?.isDrained ?? true
    }

    func send(_ reply: EncodedReply) {
        loop.checkIsolated()
        precondition(state != .answered, "\(method) is answered twice")
        precondition(!reply.continues || wantsMore, "\(method) sends several replies to a client that takes one")
        let connection = state == .open ? connection : nil
        if !reply.continues { end() }
        connection?.take(reply, from: self)
    }

    /// Sends earlier messages and those of `body` before it returns, not at the end of the turn.
    func atOnce(_ body: () -> Void) {
        loop.checkIsolated()
        // The last reply frees it.
        let connection = connection
        body()
        connection?.flush()
    }

    func sendEncoding(_ encode: () throws(VarlinkError) -> EncodedReply) {
        loop.checkIsolated()
        do throws(VarlinkError) {
            send(try encode())
        } catch {
            failUnexpectedly(error)
        }
    }

    func onDrained(_ action: @escaping @Sendable () -> Void) {
        loop.checkIsolated()
        if state == .open { drainedAction = action }
    }

    func onClosed(_ action: @escaping @Sendable () -> Void) {
        loop.checkIsolated()
        switch state {
        case .open: closedAction = action
        case .abandoned: loop.atEndOfTurn(action)
        case .answered: break
        }
    }

    /// The handler has freed the call, on any thread.
    func handleWasDropped() {
        // Most calls are answered by then, and need no job on the loop.
        if loop.isIsolatingCurrentContext() == true && state != .open { return }
        loop.perform { [self] in
            if state == .open { failUnexpectedly(Unanswered()) }
        }
    }

    // MARK: For the connection

    /// The handler failed with an error that is not a reply.
    func failUnexpectedly(_ error: any Error) {
        guard state == .open, let connection else { return }
        end()
        connection.handlerFailed(self, error)
    }

    func drained() {
        drainedAction?()
    }

    func clientHasGone() {
        guard state == .open else { return }
        state = .abandoned
        connection = nil
        // At the end of the turn, because a `send` of the handler may still be running.
        if let closedAction { loop.atEndOfTurn(closedAction) }
        (drainedAction, closedAction) = (nil, nil)
    }

    private func end() {
        state = .answered
        connection = nil
        (drainedAction, closedAction) = (nil, nil)
    }

    /// The error if a handler has freed a call without a reply.
    private struct Unanswered: Error, CustomStringConvertible {
        var description: String { "the call was dropped without an answer" }
    }
}
