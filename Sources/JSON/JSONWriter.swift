/// The writer that the encoders of a value share.
package final class SharedJSONWriter {
    package var writer: JSONWriter
    /// What the encoded values may ask for (`Encoder.userInfo`).
    let userInfo: [CodingUserInfoKey: Bool]

    package init(_ layout: JSONLayout = .compact, userInfo: [CodingUserInfoKey: Bool] = [:]) {
        writer = JSONWriter(layout)
        self.userInfo = userInfo
    }
}

/// A JSON text under construction, with its open objects and lists. Before it writes at a depth, it closes what is open
/// deeper.
package struct JSONWriter {
    private let isIndented: Bool
    private var bytes: [UInt8] = []
    private var open: [(isObject: Bool, isEmpty: Bool)] = []
    /// True if a key was written without its value.
    private var needsValue = false

    package init(_ layout: JSONLayout = .compact) {
        isIndented = layout == .indented
        bytes.reserveCapacity(256)
    }

    /// Closes everything and returns the text.
    package mutating func finish() -> [UInt8] {
        close(to: 0)
        return bytes
    }

    /// The number of bytes.
    var count: Int { bytes.count }
    var depth: Int { open.count }

    package mutating func openObject() {
        append("{")
        open.append((isObject: true, isEmpty: true))
    }

    mutating func openList() {
        append("[")
        open.append((isObject: false, isEmpty: true))
    }

    /// Gives a key without a value an empty object, and closes all values deeper than `depth`.
    mutating func close(to depth: Int) {
        if needsValue { append("{}") }
        while open.count > depth {
            let container = open.removeLast()
            if !container.isEmpty { breakLine() }
            append(container.isObject ? "}" : "]")
        }
    }

    /// Starts the next member or element of the object or list that is open at a depth.
    mutating func startMember(at depth: Int) {
        close(to: depth)
        if !open[depth - 1].isEmpty { append(",") }
        open[depth - 1].isEmpty = false
        breakLine()
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
    }

    /// Starts the next member of the object that is open at a depth.
    package mutating func write(key: String, at depth: Int) {
        startMember(at: depth)
        write(key)
        append(isIndented ? ": " : ":")
        needsValue = true
    }

    /// Writes a value that is already JSON.
    package mutating func write(json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
        needsValue = false
    }

    mutating func writeNull() { append("null") }
    package mutating func write(_ value: Bool) { append(value ? "true" : "false") }
    mutating func write(_ value: some FixedWidthInteger) { append(String(value)) }

    /// Writes the shortest text that reads back as the same number. Returns false for a number that JSON does not have.
    mutating func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) -> Bool {
        if value.isFinite { append(value.description) }
        return value.isFinite
    }

    /// Writes a string. U+0000 becomes U+FFFD, because other Varlink clients refuse a message with it.
    package mutating func write(_ text: String) {
        append("\"")
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in 0..<utf8.count {
                let byte = utf8[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                bytes.append(contentsOf: utf8[start..<index])
                appendEscape(byte)
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x00: append("\\ufffd")
        default: append((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        needsValue = false
    }
}
