import JokesProtocol
import Varlink

/// The messages that lead a subscriber to a generation, in order. Each is encoded once, when the first subscriber takes
/// it: whoever waits for the first does not wait for the others.
final class Messages {
    private enum Message {
        case reply(WatchMethod.Reply)
        case encoded(EncodedReply)
    }

    private var messages: [Message]

    init(_ replies: [WatchMethod.Reply]) {
        messages = replies.map(Message.reply)
    }

    var count: Int {
        messages.count
    }

    subscript(_ index: Int) -> EncodedReply {
        get throws(VarlinkError) {
            switch messages[index] {
            case .encoded(let encoded): return encoded
            case .reply(let reply):
                let encoded = try EncodedReply(reply, continues: true)
                messages[index] = .encoded(encoded)
                return encoded
            }
        }
    }
}
