/// Lays out compact JSON text for people: each member and element on a line of its own, two spaces a level.
struct JSONIndenter {
    private var result: [UInt8] = []
    private var depth = 0
    private var isInString = false
    /// The byte before was a backslash in a string.
    private var isEscaped = false
    /// A container was opened, and it is not known yet whether it is empty.
    private var hasJustOpened = false

    /// The text laid out; it must be JSON without white space between its parts.
    static func indent(_ text: [UInt8]) -> [UInt8] {
        var indenter = JSONIndenter()
        indenter.result.reserveCapacity(2 * text.count)
        for byte in text {
            if indenter.isInString { indenter.takeInString(byte) } else { indenter.take(byte) }
        }
        return indenter.result
    }

    private mutating func takeInString(_ byte: UInt8) {
        result.append(byte)
        if byte == UInt8(ascii: "\"") && !isEscaped { isInString = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }

    private mutating func take(_ byte: UInt8) {
        let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if closes { depth -= 1 }
        if hasJustOpened != closes { breakLine() }
        hasJustOpened = false
        result.append(byte)
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            hasJustOpened = true
        case UInt8(ascii: ","): breakLine()
        case UInt8(ascii: ":"): result.append(UInt8(ascii: " "))
        default: break
        }
    }

    private mutating func breakLine() {
        result.append(UInt8(ascii: "\n"))
        result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
