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
        try output.append(colored(harmless(text)))
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

    /// What `LiveLines` says to write: its control sequences are ours, and the only ones in it, since each line was made of
    /// harmless text.
    func live(_ text: String) throws {
        try output.append(colored(text))
    }

    /// What is said about an answer rather than in it.
    func remark(_ text: String) throws {
        try line(styled(text, .dim))
    }

    // MARK: Colour

    /// A way to show text. Each stands in a line as one private-use code point, and becomes a control sequence only
    /// behind the door that takes all others out: no text from outside can bring one.
    enum Style: Unicode.Scalar, CaseIterable {
        case plain = "\u{F8F0}"
        case bold = "\u{F8F1}"
        case dim = "\u{F8F2}"
        case red = "\u{F8F3}"
        case green = "\u{F8F4}"
        case yellow = "\u{F8F5}"

        var sequence: String {
            switch self {
            case .plain: "\u{1B}[0m"
            case .bold: "\u{1B}[1m"
            case .dim: "\u{1B}[2m"
            case .red: "\u{1B}[31m"
            case .green: "\u{1B}[32m"
            case .yellow: "\u{1B}[33m"
            }
        }
    }

    func styled(_ text: String, _ style: Style) -> String {
        "\(style.rawValue)\(text)\(Style.plain.rawValue)"
    }

    /// The text with control sequences in the places of our marks, or without these where there is to be no colour.
    private func colored(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard let style = Style(rawValue: scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            if hasColor { result += style.sequence }
        }
        return result
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

/// The text without control characters, bidirectional overrides and isolates; line feeds stay.
func harmless(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x0A: true
                case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
                default: true
                }
            }))
}
