/// The decoder of a terminal: splits bytes into characters and commands, which may be incomplete at the end of a read.
struct TerminalInput {
    enum Token: Equatable {
        case character(Unicode.Scalar)
        /// A complete escape sequence.
        case command(String)
        /// Bytes that are not UTF-8.
        case invalid([UInt8])
    }

    let type: TerminalScreen.Kind
    /// The start of an incomplete character or command.
    private var pending: ArraySlice<UInt8> = []

    init(type: TerminalScreen.Kind) {
        self.type = type
    }

    /// Returns the tokens that are complete after these bytes. The bytes of an incomplete token are kept.
    mutating func process(_ bytes: some Sequence<UInt8>) -> [Token] {
        pending += bytes
        var tokens: [Token] = []
        while let first = pending.first {
            let length = first == escape ? commandLength : characterLength(first)
            guard let length, length <= pending.count else { break }
            tokens.append(Self.token(pending.prefix(length)))
            pending = pending.dropFirst(length)
        }
        return tokens
    }

    private static func token(_ bytes: ArraySlice<UInt8>) -> Token {
        guard let text = String(validating: bytes, as: UTF8.self) else { return .invalid(Array(bytes)) }
        if bytes.first == escape { return .command(text) }
        return text.unicodeScalars.first.map(Token.character) ?? .invalid(Array(bytes))
    }

    private func characterLength(_ first: UInt8) -> Int? {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// The length of the command at the start; `nil` if its end has not arrived.
    private var commandLength: Int? {
        guard let kind = pending.dropFirst().first else { return nil }
        guard type == .xterm else { return kind == UInt8(ascii: "Y") ? 4 : 2 }
        switch kind {
        case UInt8(ascii: "["): return length { (0x40...0x7E).contains($0) }
        case 0x20...0x2F: return 3
        // Strings (such as OSC and DCS) end with BEL or with ESC \.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            return length { $0 == 7 || $0 == UInt8(ascii: "\\") }
        default: return 2
        }
    }

    /// Returns the number of bytes up to the first one after ESC and the next byte for which `isLast` returns true.
    private func length(to isLast: (UInt8) -> Bool) -> Int? {
        pending.dropFirst(2).firstIndex(where: isLast).map { $0 - pending.startIndex + 1 }
    }
}

private let escape: UInt8 = 0x1B
