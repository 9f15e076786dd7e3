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
