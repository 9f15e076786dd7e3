import Varlink

/// A JSON text by its outer shape: which members an object has and which elements an array, as places in the bytes.
///
/// What it throws is a `Complaint`, or what a closure throws. Nothing of a value is read on the way past it but its brackets and quotes, and no tree is made: a file of a hundred
/// thousand records is read record by record.
struct JSONOutline {
    typealias Complaint = VarlinkJSON.Complaint

    struct Member {
        let key: String
        let value: Range<Int>
    }

    let bytes: [UInt8]

    /// The one value that is in the text.
    func wholeValue() throws -> Range<Int> {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let start = firstByte(from: hasMark ? 3 : 0)
        let end = try endOfValue(at: start)
        let rest = firstByte(from: end)
        if rest < bytes.count { throw Complaint(index: rest, reason: "unexpected text after the value") }
        return start..<end
    }

    /// The members of an object, whatever their values are.
    func members(of object: Range<Int>) throws -> [Member] {
        var members: [Member] = []
        try forEach(in: object, between: "{", and: "}") { start in
            let keyEnd = try endOfValue(at: start)
            let key = try VarlinkJSON.decode(String.self, from: bytes[start..<keyEnd])
            let colon = firstByte(from: keyEnd)
            guard byte(at: colon) == UInt8(ascii: ":") else {
                throw Complaint(index: colon, reason: "expected ':'")
            }
            let value = firstByte(from: colon + 1)
            let end = try endOfValue(at: value)
            members.append(Member(key: key, value: value..<end))
            return end
        }
        return members
    }

    /// Reads a value that nobody asks for, so that a file is refused that has something else than JSON there.
    func pass(_ value: Range<Int>) throws {
        _ = try VarlinkJSON.decode(AnyValue.self, from: bytes[value])
    }

    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Calls the body with the place of each element of an array.
    func forEachElement(of array: Range<Int>, _ body: (Range<Int>) throws -> Void) throws {
        try forEach(in: array, between: "[", and: "]") { start in
            let end = try endOfValue(at: start)
            try body(start..<end)
            return end
        }
    }

    /// Calls the body with where each part of a container begins; it returns where that ends.
    private func forEach(
        in container: Range<Int>, between opening: Unicode.Scalar, and closing: Unicode.Scalar,
        _ body: (Int) throws -> Int
    ) throws {
        guard byte(at: container.lowerBound) == UInt8(ascii: opening) else {
            let reason = opening == "{" ? "expected an object" : "expected a list"
            throw Complaint(index: container.lowerBound, reason: reason)
        }
        var index = firstByte(from: container.lowerBound + 1)
        if byte(at: index) == UInt8(ascii: closing) { return }
        while true {
            index = firstByte(from: try body(index))
            if byte(at: index) == UInt8(ascii: closing) { return }
            guard byte(at: index) == UInt8(ascii: ",") else {
                throw Complaint(index: index, reason: "expected ',' or '\(closing)'")
            }
            index = firstByte(from: index + 1)
        }
    }

    /// The byte at the index; 0, which stands for nothing in JSON, at the end.
    private func byte(at index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    /// The first index from here on at which no space is.
    private func firstByte(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return index
            }
        }
        return index
    }

    /// Behind the value that begins at the index.
    private func endOfValue(at start: Int) throws -> Int {
        switch byte(at: start) {
        case UInt8(ascii: "\""): return try endOfString(at: start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try endOfContainer(at: start)
        default:
            let word = bytes[start...].prefix { !Self.endsWord($0) }
            if word.isEmpty {
                throw Complaint(index: start, reason: start < bytes.count ? "expected a value" : Self.cutOff)
            }
            return word.endIndex
        }
    }

    private static let cutOff = "unexpected end of the file"

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: false
        }
    }

    private func endOfString(at start: Int) throws -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\n"): throw Complaint(index: index, reason: "unterminated string")
            default: index += 1
            }
        }
        throw Complaint(index: bytes.count, reason: Self.cutOff)
    }

    private func endOfContainer(at start: Int) throws -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = try endOfString(at: index)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        throw Complaint(index: bytes.count, reason: Self.cutOff)
    }
}
