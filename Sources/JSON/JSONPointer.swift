/// A place in a JSON text (RFC 6901), in which one `*` may stand for every element of a list: `/tags/*/name`.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// What keeps a text from being a pointer.
    package enum Malformed: Error, Hashable, Sendable {
        /// It is not empty and does not begin with `/`.
        case noSlash
        /// A `~` that is not the first half of `~0` (`~` itself) or `~1` (`/`).
        case badEscape
        case secondStar
    }

    /// Why it is unclear which values a pointer leads to.
    package enum Unclear: Error {
        /// A name on the way to a value occurs twice in one object.
        case ambiguous
        /// `*` stands for more than `maxValues` elements.
        case tooMany
    }

    /// The maximum number of values that a pointer leads to.
    package static let maxValues = 1_000

    /// What stands for every element of a list. In an object it is a name like any other.
    package static let everyElement = "*"

    /// Names and positions from the outside in, escapes undone; none for the whole text.
    package let steps: [String]

    /// The whole text.
    package static let whole = JSONPointer(steps: [])

    private init(steps: [String]) {
        self.steps = steps
    }

    package init(_ text: String) throws(Malformed) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { throw .noSlash }
        steps = try text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
            (step) throws(Malformed) in try Self.unescaped(step)
        }
        if steps.count(where: { $0 == Self.everyElement }) > 1 { throw .secondStar }
    }

    private static func unescaped(_ step: Substring.UTF8View) throws(Malformed) -> String {
        var bytes: [UInt8] = []
        var rest = step
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: throw .badEscape
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it may lead to several places.
    package var hasStar: Bool {
        steps.contains(Self.everyElement)
    }

    /// As it is written; for people the whole text is named so.
    package var description: String {
        if steps.isEmpty { return "the whole response" }
        return steps.map { step in
            "/" + step.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }
}

extension JSONPointer {
    /// The values that the pointer leads to in a value: one, none, or as many as `*` stands for. O(members and
    /// elements on the way)
    package func values(in value: JSONValue) throws(Unclear) -> [JSONValue] {
        var found: [JSONValue] = []
        try Self.find(in: value, along: steps[...], &found)
        return found
    }

    /// Returns the value at the pointer; nil if there is none or it is null, because many services write null for no
    /// value.
    package func value(in value: JSONValue) throws(Unclear) -> JSONValue? {
        try values(in: value).first { !$0.isNull }
    }

    private static func find(
        in value: JSONValue, along steps: ArraySlice<String>, _ found: inout [JSONValue]
    ) throws(Unclear) {
        guard let step = steps.first else {
            if found.count == maxValues { throw .tooMany }
            found.append(value)
            return
        }
        let rest = steps.dropFirst()
        switch value.kind {
        case .object:
            if let member = try value.uniqueMember(step) { try find(in: member, along: rest, &found) }
        case .array where step == everyElement:
            for element in value.elements { try find(in: element, along: rest, &found) }
        case .array:
            if let element = value.element(step) { try find(in: element, along: rest, &found) }
        case .null, .bool, .number, .string, .invalid: break
        }
    }
}

extension JSONValue {
    /// The value of a member; nil if there is none.
    ///
    /// - Throws: `JSONPointer.Unclear.ambiguous` if the object has two members with this name.
    package func uniqueMember(_ name: String) throws(JSONPointer.Unclear) -> JSONValue? {
        var found: JSONValue?
        for (written, value) in members where written.isString(name) {
            if found != nil { throw .ambiguous }
            found = value
        }
        return found
    }

    /// The element at a position as RFC 6901 writes it: digits without a zero in front.
    fileprivate func element(_ position: String) -> JSONValue? {
        let isPosition =
            position.utf8.allSatisfy { (0x30...0x39).contains($0) } && (position == "0" || !position.hasPrefix("0"))
        guard isPosition, let index = Int(position) else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }
}
