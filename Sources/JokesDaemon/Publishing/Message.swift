import JokesProtocol
import Varlink

/// A message to subscribers. The first subscriber that is sent it has it encoded for all.
final class Message {
    /// Nil after the message was encoded: a thousand jokes need not be in memory twice.
    private(set) var reply: WatchMethod.Reply?
    private var encoding: EncodedReply?

    init(_ reply: WatchMethod.Reply) {
        self.reply = reply
    }

    /// Returns the encoded message.
    func encoded() throws(VarlinkError) -> EncodedReply {
        if let encoding { return encoding }
        guard let reply else { preconditionFailure("a message has a reply until it is encoded") }
        let encoded = try EncodedReply(reply, continues: true)
        (encoding, self.reply) = (encoded, nil)
        return encoded
    }
}

/// Receives the messages of a subscriber.
protocol Watcher: AnyObject {
    /// Whether it has received everything that was sent.
    var isDrained: Bool { get }
    func take(_ message: Message) throws(VarlinkError)
}

typealias WatchCall = VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>

extension VarlinkCall: Watcher where Parameters == WatchMethod.Parameters, Reply == WatchMethod.Reply {
    func take(_ message: Message) throws(VarlinkError) {
        send(try message.encoded())
    }
}
