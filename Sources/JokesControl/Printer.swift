import JokesCore
import Unix
import Varlink

/// Prints answers on standard output, as text for people or as JSON for programs.
///
/// Everything passes `harmless(_:)` on its way out, whoever wrote it: no control character reaches a terminal.
struct Printer {
    let isJSON: Bool
    let hasColor: Bool
    /// Now, for times in words.
    let now: Timestamp
    let output: OutputBuffer

    private func write(_ text: String) throws {
        try output.append(harmless(text))
    }

    /// One answer: a JSON document, or text.
    func print(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try write(try VarlinkJSON.encode(answer, layout: .indented) + "\n") : try text(self)
        try output.flush()
    }

    /// One answer of a stream: a line of JSON, or text.
    func printLine(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try write(try VarlinkJSON.encode(answer) + "\n") : try text(self)
        try output.flush()
    }

    func line(_ text: String = "") throws {
        try write(text + "\n")
    }

    /// What is said about an answer rather than in it.
    func remark(_ text: String) throws {
        try line(styled(text, .dim))
    }

    // MARK: Colour

    enum Style: String {
        case bold = "1", dim = "2", red = "31", green = "32", yellow = "33"
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Text on its way to a descriptor, written in pieces worth a system call.
final class OutputBuffer {
    private static let pieceSize = 64 * 1024

    private let descriptor: Int32
    private var text = ""

    init(to descriptor: Int32) {
        self.descriptor = descriptor
    }

    func append(_ more: String) throws(SystemError) {
        text += more
        if text.utf8.count >= Self.pieceSize { try flush() }
    }

    func flush() throws(SystemError) {
        defer { text.removeAll(keepingCapacity: true) }
        try writeFully(text, to: descriptor)
    }
}

/// The text without control characters, bidirectional overrides and isolates; line feeds and our own colours stay.
func harmless(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        switch scalar.value {
        case 0x0A, 0x20..<0x7F: kept.append(scalar)
        case 0x1B: takeColor(&rest, into: &kept)
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: break
        default: kept.append(scalar)
        }
    }
    return String(kept)
}

/// After an escape character: keeps `[`, digits, `m`, which can only colour, and nothing else.
private func takeColor(_ rest: inout Substring.UnicodeScalarView, into kept: inout String.UnicodeScalarView) {
    guard rest.first == "[" else { return }
    let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
    guard digits.count <= 2, digits.endIndex < rest.endIndex, rest[digits.endIndex] == "m" else { return }
    kept.append("\u{1B}")
    kept.append(contentsOf: rest[...digits.endIndex])
    rest = rest[rest.index(after: digits.endIndex)...]
}
