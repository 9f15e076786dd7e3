import JSON
import JokesCore
import Unix

/// Prints answers on standard output, as text for people or as JSON for programs.
///
/// All text passes `harmless(_:)` on its way out, whoever wrote it: no control character reaches a terminal but those of
/// our own styles.
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

    /// JSON is for programs: no style gets into it, whatever was asked for.
    private func json(_ text: String) throws {
        try output.append(harmless(text) + "\n")
    }

    /// A line as it is, however long.
    func line(_ text: StyledText = "") throws {
        try output.append(rendered(text) + "\n")
    }

    /// What stays one line: on a terminal too narrow for it it is cut off with an ellipsis.
    func row(_ text: StyledText) throws {
        try line(columns.map { text.truncated(to: $0) } ?? text)
    }

    /// Text in as many lines as the terminal needs, broken between words; elsewhere in its own lines. What is before the
    /// first, `lead`, is hung out: the others are indented as much.
    func paragraph(_ text: StyledText, behind lead: StyledText = "") throws {
        guard let columns else { return try line(lead + text) }
        let indentation = StyledText(String(repeating: " ", count: lead.columns))
        for (number, part) in text.wrapped(to: max(1, columns - lead.columns)).enumerated() {
            try line((number == 0 ? lead : indentation) + part)
        }
    }

    /// What `LiveLines` says to write: its control sequences are ours, and the only ones in it besides our styles, since
    /// each line was made by `rendered(_:)`.
    func live(_ text: String) throws {
        try output.append(text)
    }

    /// What is said about an answer rather than in it.
    func remark(_ text: String) throws {
        try paragraph(styled(text, .dim))
    }

    func styled(_ text: String, _ style: StyledText.Style?) -> StyledText {
        StyledText(text, style)
    }

    func rendered(_ text: StyledText) -> String {
        text.rendered(hasColor: hasColor)
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
