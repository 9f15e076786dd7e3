import JokesCore
import Unix
import Varlink

/// Prints answers on standard output, as text for people or as JSON for programs.
///
/// All text passes `harmless(_:)` on its way out, whoever wrote it: no control character reaches a terminal but those of
/// our own styles.
struct Printer {
    let isJSON: Bool
    let hasColor: Bool
    /// Now, for times in words.
    let now: Timestamp
    let output: OutputBuffer

    /// One answer: a JSON document, or text.
    func print(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try json(try VarlinkJSON.encode(answer, layout: .indented)) : try text(self)
        try output.flush()
    }

    /// One answer of a stream: a line of JSON, or text.
    func printLine(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        isJSON ? try json(try VarlinkJSON.encode(answer)) : try text(self)
        try output.flush()
    }

    /// JSON is for programs: no style gets into it, whatever was asked for.
    private func json(_ text: String) throws {
        try output.append(harmless(text) + "\n")
    }

    func line(_ text: StyledText = "") throws {
        try output.append(rendered(text) + "\n")
    }

    /// What `LiveLines` says to write: its control sequences are ours, and the only ones in it besides our styles, since
    /// each line was made by `rendered(_:)`.
    func live(_ text: String) throws {
        try output.append(text)
    }

    /// What is said about an answer rather than in it.
    func remark(_ text: String) throws {
        try line(styled(text, .dim))
    }

    func styled(_ text: String, _ style: StyledText.Style) -> StyledText {
        StyledText(text, style)
    }

    func rendered(_ text: StyledText) -> String {
        text.rendered(hasColor: hasColor)
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
