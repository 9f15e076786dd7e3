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

    init(parameters: Parameters, messageBytes: Int, channel: CallChannel) {
        self.parameters = parameters
        self.messageBytes = messageBytes
        self.channel = channel
    }

    deinit {
        channel.handleWasDropped()
    }

    /// The client.
    public var peer: VarlinkPeer { channel.peer }

    /// Whether the client accepts several replies. False if the interface text does not say that the method sends
    /// several.
    public var wantsMore: Bool { channel.wantsMore }

    /// Whether a reply is due, and the client is still connected.
    public var isOpen: Bool { channel.isOpen }

    /// Sends the last reply.
    public func reply(_ reply: Reply) {
        channel.sendEncoding { () throws(VarlinkError) in try EncodedReply(single: reply) }
    }

    /// Sends the last reply before it returns, if the socket takes it.
    ///
    /// Other replies are sent at the end of the loop's turn. This is for a handler with more work to do: the client
    /// gets its reply before that work, but no other call is handled until it is done.
    public func replyAtOnce(_ reply: Reply) {
        channel.atOnce { self.reply(reply) }
    }

    /// Sends an error as the last reply.
    public func fail(_ error: ErrorReply) {
        channel.send(EncodedReply(error))
    }

    /// Sends one of several replies. Requires `wantsMore`.
    public func send(_ reply: Reply) {
        channel.sendEncoding { () throws(VarlinkError) in try EncodedReply(single: reply, continues: true) }
    }

    /// Sends an encoded reply, which may be shared by several clients. It is the last one unless it continues.
    public func send(_ reply: EncodedReply) {
        channel.send(reply)
    }

    /// Whether the kernel has taken all replies.
    public var isDrained: Bool { channel.isDrained }

    /// Sets a callback for each time when the kernel has taken all replies.
    ///
    /// It is not called from within `send`.
    public func onDrained(_ action: @escaping @Sendable () -> Void) {
        channel.onDrained(action)
    }

    /// Sets a callback for the end of the connection before the last reply.
    ///
    /// It is not called from within `send`. If the client has gone already, it is called soon.
    public func onClosed(_ action: @escaping @Sendable () -> Void) {
        channel.onClosed(action)
    }
}
