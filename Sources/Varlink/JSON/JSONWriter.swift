/// JSON text under construction, with the objects and arrays that are still open.
///
/// The encoders of one value share it: each knows the depth it writes at, and a write at a depth closes what is open
/// deeper, so containers are filled one after another, as `Codable` does.
final class JSONWriter {
    private enum Container {
        case object, array
    }

    private var bytes: [UInt8]
    private var open: [(kind: Container, isEmpty: Bool)] = []

    init(reserving capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Closes everything and hands over the text.
    func finish() -> [UInt8] {
        close(to: 0)
        return bytes
    }

    /// The bytes written so far, to see whether a value wrote anything.
    var count: Int { bytes.count }

    var depth: Int { open.count }

    func openObject() {
        bytes.append(UInt8(ascii: "{"))
        open.append((.object, true))
    }

    func openArray() {
        bytes.append(UInt8(ascii: "["))
        open.append((.array, true))
    }

    func close(to depth: Int) {
        completeMember()
        while open.count > depth {
            let container = open.removeLast()
            bytes.append(container.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    /// Starts the next member of the container at the depth: what is deeper ends.
    func startMember(at depth: Int) {
        close(to: depth)
        if !open[depth - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
        open[depth - 1].isEmpty = false
    }

    /// Gives a key its value where its encoder wrote none.
    private func completeMember() {
        if bytes.last == UInt8(ascii: ":") { append("{}") }
    }

    func write(key: String) {
        write(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// A value that is JSON already.
    func write(json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    func writeNull() {
        bytes.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
    }

    func write(_ value: Bool) {
        append(value ? "true" : "false")
    }

    func write(_ value: some FixedWidthInteger) {
        append(String(value))
    }

    /// The shortest text that reads back as the same number; nil for what JSON has no words for.
    func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) -> Void? {
        guard value.isFinite else { return nil }
        append(value.description)
        return ()
    }

    /// The text with everything escaped that JSON does not take as it is.
    ///
    /// U+0000 travels as U+FFFD: stock clients refuse a whole message for one.
    func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
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

    private func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x00: append("\\ufffd")
        default:
            let digits = String(byte, radix: 16)
            append(digits.count == 1 ? "\\u000" : "\\u00")
            append(digits)
        }
    }

    private func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
