/// A JSON5 value without its position in a text.
package indirect enum JSON5Value: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The bits of the number, so that NaN equals itself.
    case number(UInt64)
    case string(String)
    case array([JSON5Value])
    /// In the order of the text. A duplicate key is kept.
    case object([Member])

    /// A key of an object and its value.
    package struct Member: Hashable, Sendable {
        package let key: String
        package var value: JSON5Value

        package init(key: String, value: JSON5Value) { (self.key, self.value) = (key, value) }
    }

    package init(_ located: LocatedJSON) {
        self =
            switch located.value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let number): .number(number.bitPattern)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(JSON5Value.init))
            case .object(let members): .object(members.map { Member(key: $0.key, value: JSON5Value($0.value)) })
            }
    }

    /// Reads a text with one value.
    package init(reading text: String) throws(JSON5Reader.SyntaxError) {
        self.init(try JSON5Reader.read(text))
    }

    /// The first value of a key; nil if this is not an object or has no such key.
    package subscript(key: String) -> JSON5Value? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The elements of a list; nil for other values.
    package var elements: [JSON5Value]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for other values.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text; nil for other values.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
