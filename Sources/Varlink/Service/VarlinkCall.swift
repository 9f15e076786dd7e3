import JSON
import Unix

/// A call to a service, which waits for its reply.
///
/// Its methods must be called on the service's loop: from an actor with this loop, or from a callback. The reply may
/// take any time; the next calls of the client wait for it. A reply to a client that has gone is dropped. If a call is
/// freed without a reply, the client gets an error, and the service logs it.
///
/// A stream is a call with several replies: call `send` for each of them, and `reply` for the last one, if there is
/// one. Send only if `isDrained` is true. Otherwise, wait for `onDrained` and send the newest state. A stream with too
/// many unread replies is ended.
public final class VarlinkCall<Parameters: Sendable, Reply: Encodable & Sendable>: Sendable {
    /// The parameters of the call.
    public let parameters: Parameters
    /// The size of the client's message in bytes, without its NUL byte.
    package let messageBytes: Int
    private let channel: CallChannel

    init(_ parameters: JSONValue, _ channel: CallChannel) throws where Parameters: Decodable {
        self.parameters = try parameters.decode(Parameters.self)
        messageBytes = parameters.document.bytes.count
        self.channel = channel
    }

    deinit { channel.handleWasDropped() }

    /// The client.
    public var peer: VarlinkPeer { channel.peer }

    /// True if the client accepts several replies. False if the interface text does not say that the method sends
    /// several.
    public var wantsMore: Bool { channel.wantsMore }

    /// True if the client wants no reply, not even an error. Replies are dropped, so a handler need not prepare one.
    public var isOneway: Bool { channel.isOneway }

    /// True if a reply is due, and the client is still connected.
    public var isOpen: Bool { channel.isOpen }

    /// Sends the last reply.
    public func reply(_ reply: Reply) { channel.send(encoding: reply) }

    /// Sends the last reply before it returns, if the socket takes it.
    ///
    /// Other replies are sent at the end of the loop's turn. This is for a handler with more work to do: the client
    /// gets its reply before that work, but no other call is handled until it is done.
    public func replyAtOnce(_ reply: Reply) { channel.send(encoding: reply, atOnce: true) }

    /// Sends an error as the last reply.
    public func fail(_ error: ErrorReply) { channel.send(EncodedReply(error)) }

    /// Sends one of several replies. Requires `wantsMore`.
    public func send(_ reply: Reply) { channel.send(encoding: reply, continues: true) }

    /// Sends an encoded reply, which may be shared by several clients. It is the last one unless it continues.
    public func send(_ reply: EncodedReply) { channel.send(reply) }

    /// True if the kernel has taken all replies.
    public var isDrained: Bool { channel.isDrained }

    /// Sets a callback for each time when the kernel has taken all replies.
    ///
    /// It is not called from within `send`.
    public func onDrained(_ action: @escaping @Sendable () -> Void) { channel.onDrained(action) }

    /// Sets a callback for the end of the connection before the last reply.
    ///
    /// It is not called from within `send`. If the client has gone already, it is called soon.
    public func onClosed(_ action: @escaping @Sendable () -> Void) { channel.onClosed(action) }
}

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
        (self.connection, self.loop, peer) = (connection, loop, connection.peer)
        (self.method, self.wantsMore, self.isOneway) = (method, wantsMore, isOneway)
    }

    var isOpen: Bool {
        loop.checkIsolated()
        return state == .open
    }

    var isDrained: Bool {
        loop.checkIsolated()
        return connection?.isDrained ?? true
    }

    func send(_ reply: EncodedReply, atOnce: Bool = false) {
        loop.checkIsolated()
        precondition(state != .answered, "\(method) is answered twice")
        precondition(!reply.continues || wantsMore, "\(method) sends several replies to a client that takes one")
        // The last reply frees it.
        let connection = state == .open ? connection : nil
        if !reply.continues { end(.answered) }
        connection?.take(reply, from: self)
        if atOnce { connection?.flush() }
    }

    /// Encodes a reply for this client only, and sends it.
    func send(encoding reply: some Encodable, continues: Bool = false, atOnce: Bool = false) {
        loop.checkIsolated()
        do throws(VarlinkError) {
            send(try EncodedReply(reply, continues: continues, isShared: false), atOnce: atOnce)
        } catch {
            fail(error, atOnce: atOnce)
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
            if state == .open { fail(Unanswered()) }
        }
    }

    /// Replies with an error of the handler, unless a reply was sent before.
    func fail(_ error: any Error, atOnce: Bool = false) {
        guard state == .open, let connection else { return }
        send(EncodedReply(error as? ErrorReply ?? connection.explain(error, of: method)), atOnce: atOnce)
    }

    func drained() { drainedAction?() }

    func handleHangup() {
        guard state == .open else { return }
        // At the end of the turn, because a `send` of the handler may still be running.
        if let closedAction { loop.atEndOfTurn(closedAction) }
        end(.abandoned)
    }

    private func end(_ state: State) {
        self.state = state
        connection = nil
        (drainedAction, closedAction) = (nil, nil)
    }

    /// The error if a handler has freed a call without a reply.
    private struct Unanswered: Error, CustomStringConvertible {
        var description: String { "the call was dropped without an answer" }
    }
}
