import Unix

/// What a call shares with its connection, whatever the types of its parameters and replies.
///
/// `@unchecked Sendable`: its state is touched on the loop's thread alone; every method checks that.
final class CallChannel: @unchecked Sendable {
    private enum State {
        /// An answer is due.
        case open
        /// An answer is due, and nobody is there to take it.
        case abandoned
        case answered
    }

    let peer: VarlinkPeer
    let method: String
    let wantsMore: Bool
    let isOneway: Bool
    private let loop: EventLoop
    /// Nil once the call is answered or its client gone: until then each holds the other. Not weak, which would make
    /// every step of a connection slower, and 500 of them are told of a change.
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

    /// Hands to the kernel what was sent so far, and what `body` sends, before this returns: not at the end of the turn.
    func atOnce(_ body: () -> Void) {
        loop.checkIsolated()
        // The last reply lets go of it.
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

    /// The handler let go of the call, from whatever thread.
    func handleWasDropped() {
        // Most calls are answered on the loop by then, and their end needs no visit.
        if loop.isIsolatingCurrentContext() == true && state != .open { return }
        loop.perform { [self] in
            if state == .open { failUnexpectedly(Unanswered()) }
        }
    }

    // MARK: For the connection

    /// The handler failed with what is no reply.
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
        // At the end of the turn: a `send` of the handler may have ended the connection, and has not returned yet.
        if let closedAction { loop.atEndOfTurn(closedAction) }
        (drainedAction, closedAction) = (nil, nil)
    }

    private func end() {
        state = .answered
        connection = nil
        (drainedAction, closedAction) = (nil, nil)
    }

    /// The error of a handler that forgot its call.
    private struct Unanswered: Error, CustomStringConvertible {
        var description: String { "the call was dropped without an answer" }
    }
}
