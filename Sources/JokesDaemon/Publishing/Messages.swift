import JokesProtocol
import Varlink

/// A message to watchers: encoded once, for the first of them who is sent it.
final class Message {
    let reply: WatchMethod.Reply
    private var encoding: EncodedReply?

    init(_ reply: WatchMethod.Reply) {
        self.reply = reply
    }

    var encoded: EncodedReply {
        get throws(VarlinkError) {
            if let encoding { return encoding }
            let encoded = try EncodedReply(reply, continues: true)
            encoding = encoded
            return encoded
        }
    }
}

/// The messages that lead a subscriber to a generation, in order; at least one.
final class Messages {
    let all: [Message]

    init(_ replies: [WatchMethod.Reply]) {
        all = replies.map(Message.init)
    }
}

/// Where a subscriber's messages go.
protocol Watcher: AnyObject {
    /// Whether it has taken all that it was sent.
    var isDrained: Bool { get }
    func take(_ message: Message) throws(VarlinkError)
}

typealias WatchCall = VarlinkCall<WatchMethod.Parameters, WatchMethod.Reply>

extension VarlinkCall: Watcher where Parameters == WatchMethod.Parameters, Reply == WatchMethod.Reply {
    func take(_ message: Message) throws(VarlinkError) {
        send(try message.encoded)
    }
}
