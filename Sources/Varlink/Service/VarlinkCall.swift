/// A call that waits for its answer, on the service's side.
///
/// It belongs to the service's loop: its methods are called from there (from an actor that lives on the loop, or from a
/// callback) and trap elsewhere. It may be kept for as long as the answer takes; the client's next calls wait for it.
/// Whether the client is still there makes no difference to the caller: what is sent to one that has gone is dropped.
/// A call that goes away unanswered is answered with an error, and the service's log says so.
///
/// A stream is a call with several replies: `send` as often as there is something, then `reply`, or nothing for as long
/// as the client stays. The one who sends sees to it that no more is sent than the client takes: it sends while
/// `isDrained`, and otherwise waits for `onDrained` and sends then what is newest. Who does not is cut off at the
/// service's limit.
public final class VarlinkCall<Parameters: Sendable, Reply: Encodable & Sendable>: Sendable {
    /// What the client sent, as the interface text describes it.
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

    /// Who calls.
    public var peer: VarlinkPeer { channel.peer }

    /// Whether the client takes more than one reply; never for a method whose text does not say that it streams.
    public var wantsMore: Bool { channel.wantsMore }

    /// Whether an answer is still due and the client there to take it.
    public var isOpen: Bool { channel.isOpen }

    /// The last reply. A call is answered once.
    public func reply(_ reply: Reply) {
        channel.sendEncoding { () throws(VarlinkError) in try EncodedReply(single: reply) }
    }

    /// The last reply, as `reply`, but handed to the kernel before this returns, where the client takes it.
    ///
    /// Other replies leave at the end of the loop's turn. This is for a handler that has more to do in the turn: the caller
    /// does not wait for it, and yet no other call, its own next one neither, is looked at before it is done.
    public func replyAtOnce(_ reply: Reply) {
        channel.atOnce { self.reply(reply) }
    }

    /// The last reply: an error.
    public func fail(_ error: ErrorReply) {
        channel.send(EncodedReply(error))
    }

    /// One of several replies; only where `wantsMore`.
    public func send(_ reply: Reply) {
        channel.sendEncoding { () throws(VarlinkError) in try EncodedReply(single: reply, continues: true) }
    }

    /// A reply that was encoded before, perhaps for many clients; the last one unless it continues.
    public func send(_ reply: EncodedReply) {
        channel.send(reply)
    }

    /// Whether all that was sent has been handed to the kernel.
    public var isDrained: Bool { channel.isDrained }

    /// Sets what is called, on the loop, each time all that was sent has been handed to the kernel.
    ///
    /// It is not called from within `send`.
    public func onDrained(_ action: @escaping @Sendable () -> Void) {
        channel.onDrained(action)
    }

    /// Sets what is called, on the loop, once the client has gone before the call was answered for good.
    ///
    /// It is not called from within `send`; for a client that has gone already it is called soon.
    public func onClosed(_ action: @escaping @Sendable () -> Void) {
        channel.onClosed(action)
    }
}
