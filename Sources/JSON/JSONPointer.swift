/// A JSON Pointer (RFC 6901), in which one `*` may stand for every element of a list, and every value of an object
/// without a member of this name: `/tags/*/name`.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The reason that a text is not a pointer.
    package enum Malformed: Error, Hashable, Sendable {
        /// The text is not empty and does not begin with `/`.
        case noSlash
        /// A `~` that is not part of `~0` (for `~`) or `~1` (for `/`).
        case badEscape
        case secondStar
    }

    /// The reason that a pointer has no clear values.
    package enum NoClearValue: Error {
        /// A name on the way to a value occurs twice in one object.
        case ambiguous
        /// The pointer leads to more than `maxValues` values.
        case tooMany
    }

    package static let maxValues = 1_000

    /// The pointer to the whole text.
    package static let whole = JSONPointer(steps: [])

    private static let everyElement = "*"

    /// Names and positions from the outside in, without escapes.
    package let steps: [String]

    /// Creates a pointer from steps without escapes. At most one may be `*`.
    package init(steps: [String]) {
        self.steps = steps
    }

    package init(_ text: String) throws(Malformed) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { throw .noSlash }
        let written = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        steps = try written.map { (step) throws(Malformed) in try Self.unescaped(step) }
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

    /// True if the pointer has a `*`.
    package var hasStar: Bool { steps.contains(Self.everyElement) }

    /// The pointer as it is written, for messages.
    package var description: String {
        if steps.isEmpty { return "the whole response" }
        return steps.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }
}

extension JSONPointer {
    /// Returns the values that the pointer leads to. O(members and elements on the way)
    package func values(
        in value: JSONValue, atMost limit: Int = maxValues
    ) throws(NoClearValue) -> [JSONValue] {
        var found: [JSONValue] = []
        try Self.find(in: value, along: steps[...], atMost: limit, &found)
        return found
    }

    /// Returns the first value that is not null, because many services write null for no value.
    package func value(in value: JSONValue) throws(NoClearValue) -> JSONValue? {
        try values(in: value).first { !$0.isNull }
    }

    private static func find(
        in value: JSONValue, along steps: ArraySlice<String>, atMost limit: Int, _ found: inout [JSONValue]
    ) throws(NoClearValue) {
        guard let step = steps.first else {
            if found.count == limit { throw .tooMany }
            found.append(value)
            return
        }
        let rest = steps.dropFirst()
        switch value.kind {
        case .object:
            if let member = try value.uniqueMember(step) {
                try find(in: member, along: rest, atMost: limit, &found)
            } else if step == everyElement {
                for member in value.members { try find(in: member.value, along: rest, atMost: limit, &found) }
            }
        case .array where step == everyElement:
            for element in value.elements { try find(in: element, along: rest, atMost: limit, &found) }
        case .array:
            if let element = value.element(step) { try find(in: element, along: rest, atMost: limit, &found) }
        case .null, .bool, .number, .string, .invalid: break
        }
    }
}

extension JSONValue {
    /// Returns the value of a member; nil if there is none.
    ///
    /// - Throws: `JSONPointer.NoClearValue.ambiguous` if the object has two members with this name.
    package func uniqueMember(_ name: String) throws(JSONPointer.NoClearValue) -> JSONValue? {
        guard let found = member(name) else { return nil }
        if document.value(of: name, in: found.next..<next) != nil { throw .ambiguous }
        return found
    }

    /// Returns the element at a position in the form of RFC 6901: digits without a leading zero.
    fileprivate func element(_ position: String) -> JSONValue? {
        guard let index = Int(position), index >= 0, "\(index)" == position else { return nil }
        return element(at: index)
    }
}
