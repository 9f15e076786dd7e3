import JSON
import JokesCore
import TextLayout
import Unix

/// Prints answers on standard output, as text for people or as JSON for programs.
///
/// Text is in lines, which are sanitized, and JSON is escaped: no control character reaches a terminal but those of our
/// own styles.
struct Printer {
    let isJSON: Bool
    let hasColor: Bool
    /// Now, for times in words.
    let now: Timestamp
    /// Of the terminal that text is shown on; nil where it goes elsewhere, and is as long as it is.
    var columns: Int? = nil
    /// What shows an answer that is longer than the terminal.
    var pager: Pager? = nil
    var output: OutputBuffer

    /// One answer: a JSON document, or text.
    func print(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try json(try JSONEncoding.text(of: answer, .indented)) : try text(self)
        try output.flush()
    }

    /// One answer that may be long: as `print`, and on a terminal in the pager.
    func page(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        guard let pager else { return try print(answer, text) }
        let whole = OutputBuffer(to: nil)
        var collector = self
        collector.output = whole
        try collector.print(answer, text)
        try pager.show(whole.text) {
            try output.append(whole.text)
            try output.flush()
        }
    }

    /// One answer of a stream: a line of JSON, or text.
    func printLine(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try json(try JSONEncoding.text(of: answer)) : try text(self)
        try output.flush()
    }

    /// JSON is for programs: no style gets into it, whatever was asked for. The control characters that JSON allows in
    /// strings are escaped.
    private func json(_ text: String) throws {
        let escaped = text.unicodeScalars.map { scalar in
            scalar.isControl && scalar != "\n"
                ? "\\u\(String(scalar.value + 0x10000, radix: 16).dropFirst())" : "\(scalar)"
        }
        try output.append(escaped.joined() + "\n")
    }

    /// A line as it is, however long.
    func line(_ line: Line = Line()) throws {
        try output.append(rendered(line) + "\n")
    }

    /// What stays one line: on a terminal too narrow for it it is cut off with an ellipsis.
    func row(_ line: Line) throws {
        try self.line(line.truncated(to: width))
    }

    /// Text in as many lines as the terminal needs, broken between words; elsewhere in its own lines. What is before the
    /// first, `lead`, is hung out: the others are indented as much.
    func paragraph(_ text: String, _ style: Style = .plain, behind lead: Line = Line()) throws {
        try lines(wrapped(text, style, to: max(1, width - lead.columns)), behind: lead)
    }

    /// A line that is longer than the terminal, likewise.
    func paragraph(_ line: Line, behind lead: Line = Line()) throws {
        try lines(line.wrapped(to: max(1, width - lead.columns)), behind: lead)
    }

    /// Lines, of which `lead` is before the first one.
    func lines(_ lines: [Line], behind lead: Line) throws {
        for (number, part) in lines.enumerated() {
            try line((number == 0 ? lead : Line().padded(to: lead.columns)) + part)
        }
    }

    /// The columns that a line may have.
    var width: Int { columns ?? .max }

    /// What `LiveLines` says to write: its control sequences are ours, and the only ones in it besides our styles, since
    /// each line was made by `rendered(_:)`.
    func live(_ text: String) throws {
        try output.append(text)
    }

    /// What is said about an answer rather than in it.
    func remark(_ text: String) throws {
        try paragraph(text, .muted)
    }

    /// The line as a terminal gets it, its styles as control sequences if there is to be color.
    func rendered(_ line: Line) -> String {
        line.spans.map { span in
            guard hasColor, let code = span.style.code else { return span.text }
            return "\u{1B}[\(code)m\(span.text)\u{1B}[0m"
        }.joined()
    }
}

extension Style {
    /// The code of the style in a control sequence (SGR); nil for plain text.
    fileprivate var code: Int? {
        switch self {
        case .bold: 1
        case .muted: 2
        case .bad: 31
        case .good: 32
        case .accent, .warning: 33
        default: nil
        }
    }
}

extension Unicode.Scalar {
    /// True for control characters, and for those that change the direction of a text.
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Text on its way to a descriptor, written in pieces worth a system call; without one it stays here.
final class OutputBuffer {
    private static let pieceSize = 64 * 1024

    private let descriptor: Int32?
    private(set) var text = ""

    init(to descriptor: Int32?) {
        self.descriptor = descriptor
    }

    func append(_ more: String) throws(SystemError) {
        text += more
        if text.utf8.count >= Self.pieceSize { try flush() }
    }

    func flush() throws(SystemError) {
        guard let descriptor else { return }
        defer { text.removeAll(keepingCapacity: true) }
        try writeFully(text, to: descriptor)
    }
}
