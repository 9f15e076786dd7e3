/// A JSON text and where its values are: one flat list of nodes in the order of the text.
///
/// It refuses what Varlink refuses beyond JSON's own grammar: U+0000, surrogates without their other half, invalid
/// UTF-8, and nesting deeper than `maximumDepth`.
final class JSONDocument {
    /// One value. An object's children are its keys and values by turns.
    struct Node {
        let kind: Kind
        /// The value's bytes in the text; a string's are those between the quotes.
        let start: Int32
        var end: Int32
        /// The node that follows this value and all it holds.
        var next: Int32
        /// Elements of an array, members of an object; 1 for a string with escapes.
        var count: Int32
    }

    enum Kind: UInt8 {
        case null, bool, number, string, array, object
    }

    /// What made a text unacceptable, and where.
    struct Malformed: Error {
        let offset: Int
        let reason: String
    }

    static let maximumDepth = 128

    let bytes: [UInt8]
    private(set) var nodes: [Node]

    init(_ bytes: [UInt8]) throws(Malformed) {
        self.bytes = bytes
        var parser = JSONParser(bytes)
        try parser.parseText()
        nodes = parser.nodes
    }

    /// The values of an object by position: `body` gets the nodes of each key and value, until it returns false.
    func forEachMember(of object: Int, _ body: (_ key: Int, _ value: Int) -> Bool) {
        var key = object + 1
        let end = Int(nodes[object].next)
        while key < end {
            guard body(key, key + 1) else { return }
            key = Int(nodes[key + 1].next)
        }
    }

    /// The nodes of an array's elements.
    func elements(of array: Int) -> [Int] {
        var elements: [Int] = []
        elements.reserveCapacity(Int(nodes[array].count))
        var element = array + 1
        while element < Int(nodes[array].next) {
            elements.append(element)
            element = Int(nodes[element].next)
        }
        return elements
    }

    /// The text of a string node, escapes resolved.
    func string(at node: Int) -> String {
        let range = Int(nodes[node].start)..<Int(nodes[node].end)
        guard nodes[node].count != 0 else { return String(decoding: bytes[range], as: UTF8.self) }
        return JSONEscapes.resolve(bytes[range])
    }

    /// Whether a string node says the text.
    func string(at node: Int, equals text: String) -> Bool {
        guard nodes[node].count == 0 else { return string(at: node).utf8.elementsEqual(text.utf8) }
        let start = Int(nodes[node].start)
        let utf8 = text.utf8
        guard Int(nodes[node].end) - start == utf8.count else { return false }
        var index = start
        for byte in utf8 {
            if bytes[index] != byte { return false }
            index += 1
        }
        return true
    }

    func bool(at node: Int) -> Bool? {
        nodes[node].kind == .bool ? bytes[Int(nodes[node].start)] == UInt8(ascii: "t") : nil
    }

    /// The number at the node, where it is written as an integer and fits; `1.0` and `1e3` are not.
    func integer<Number: FixedWidthInteger>(at node: Int) -> Number? {
        guard nodes[node].kind == .number else { return nil }
        var index = Int(nodes[node].start)
        let end = Int(nodes[node].end)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var value: Number = 0
        while index < end {
            guard let digit = Number(exactly: Int(bytes[index]) - 0x30), bytes[index] >= 0x30, bytes[index] <= 0x39
            else { return nil }
            let (scaled, scaleOverflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) =
                isNegative ? scaled.subtractingReportingOverflow(digit) : scaled.addingReportingOverflow(digit)
            if scaleOverflows || sumOverflows { return nil }
            value = sum
            index += 1
        }
        return value
    }

    /// The number at the node as a floating-point number; nil where it is too large to be finite.
    func double(at node: Int) -> Double? {
        guard nodes[node].kind == .number else { return nil }
        let text = String(decoding: bytes[Int(nodes[node].start)..<Int(nodes[node].end)], as: UTF8.self)
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The keys and positions that lead to a node: for messages, found only when one is needed.
    func path(to target: Int) -> [JSONKey] {
        var path: [JSONKey] = []
        var node = 0
        while node != target, let step = step(from: node, towards: target) {
            path.append(step.key)
            node = step.node
        }
        return path
    }

    private func step(from node: Int, towards target: Int) -> (key: JSONKey, node: Int)? {
        switch nodes[node].kind {
        case .object:
            var found: (JSONKey, Int)?
            forEachMember(of: node) { key, value in
                guard target < Int(nodes[value].next) else { return true }
                found = (JSONKey(string(at: key)), value)
                return false
            }
            return found
        case .array:
            let elements = elements(of: node)
            return elements.firstIndex { target < Int(nodes[$0].next) }.map { (JSONKey(index: $0), elements[$0]) }
        case .null, .bool, .number, .string: return nil
        }
    }
}

/// A place in an object or an array.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
