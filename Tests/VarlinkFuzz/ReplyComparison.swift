import JSON
import Varlink

/// Compares the replies with the expected ones.
struct ReplyComparison {
    private let messages: [String]
    private var position = 0

    init(messages: [String]) {
        self.messages = messages
    }

    /// Returns whether an invalid message ended the connection; nil if it is unknown.
    mutating func compare(with conversation: Conversation) throws -> Bool? {
        for message in messages { try Self.check(message) }
        // The random messages since the last reply. Each of them may have ended the connection.
        var mayHaveEnded = false
        for (number, answer) in conversation.answers.enumerated() {
            switch answer {
            case .none: continue
            case .end:
                try demand(position == messages.count, "\(messages[position...]) came after the end, \(number)")
                return true
            case .any(let isOneway, let wantsMore):
                if isOneway {
                    mayHaveEnded = true
                } else if position == messages.count {
                    return true
                } else {
                    try takeAny(wantsMore: wantsMore)
                    mayHaveEnded = false
                }
            case .exactly(let replies):
                if mayHaveEnded && position == messages.count { return true }
                for reply in replies { try take(reply, number) }
                mayHaveEnded = false
            case .stream(let first, let last):
                if mayHaveEnded && position == messages.count { return true }
                try take(first, number)
                while try next(number) != last { position += 1 }
                try take(last, number)
                mayHaveEnded = false
            }
        }
        try demand(position == messages.count, "\(messages[position...]) came for nothing")
        return mayHaveEnded ? nil : false
    }

    private func next(_ number: Int) throws -> String {
        try demand(position < messages.count, "nothing comes for message \(number); before: \(messages)")
        return messages[position]
    }

    private mutating func take(_ reply: String, _ number: Int) throws {
        let found = try next(number)
        try demand(found == reply, "message \(number) gets \(found), not \(reply)")
        position += 1
    }

    private mutating func takeAny(wantsMore: Bool) throws {
        while position < messages.count {
            let continues = messages[position].hasSuffix(#","continues":true}"#)
            try demand(!continues || wantsMore, "\(messages[position]) comes to who takes one")
            position += 1
            if !continues { return }
        }
        throw Violation(description: "a stream has no end: \(messages)")
    }

    /// A message that other clients accept: only the three keys, none of them null.
    private static func check(_ message: String) throws {
        guard case .object(let members) = try JSONDocument(Array(message.utf8)).root.decode(AnyJSON.self) else {
            throw Violation(description: "\(message) is no object")
        }
        for (key, value) in members {
            switch (key, value) {
            case ("parameters", .object): continue
            case ("continues", .bool(true)) where members["error"] == nil: continue
            case ("error", .string(let name)) where name.contains("."): continue
            default: throw Violation(description: "\(key) of \(message)")
            }
        }
    }
}
