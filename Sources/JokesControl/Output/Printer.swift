import JSON
import JokesCore
import TextLayout
import Unix

/// Prints answers as text or JSON. Text is sanitized and JSON is escaped, so no control character reaches a terminal
/// except those of our styles.
struct Printer {
    let isJSON: Bool
    let hasColor: Bool
    let now: Timestamp
    /// The width of the terminal; nil if the output is not a terminal.
    var columns: Int? = nil
    var pager: Pager? = nil
    var symbols = Symbols.unicode
    /// The short forms of IDs; other IDs are printed in full.
    var shortIDs: [String: String] = [:]
    var output: OutputBuffer

    /// Prints an answer as a JSON document, on one line if it is part of a stream, or as text.
    func print(_ answer: some Encodable, onOneLine: Bool = false, _ text: (Printer) throws -> Void) throws {
        if isJSON {
            try output.append(json(answer, onOneLine ? .compact : .indented) + "\n")
        } else {
            try text(self)
        }
        try output.flush()
    }

    /// Returns the JSON of an answer, with times as text.
    private func json(_ answer: some Encodable, _ layout: JSONLayout) throws -> String {
        escaped(try JSONEncoding.text(of: answer, layout, userInfo: [Timestamp.asText: true]))
    }

    /// Prints a long answer; on a terminal, in the pager.
    func page(_ answer: some Encodable, _ text: (Printer) throws -> Void) throws {
        try page(try collected { try $0.print(answer, text) })
    }

    /// Prints a long text; on a terminal, in the pager. `next` returns the next piece of the text after its start, and nil
    /// after the last piece. Each piece is printed before the next one is requested.
    func page(_ start: String = "", _ next: () throws -> String? = { nil }) throws {
        func plainly(_ piece: String) throws {
            try output.append(piece)
            try output.flush()
        }
        if let pager { return try pager.show(start, next, plainly: plainly) }
        try plainly(start)
        while let piece = try next() { try plainly(piece) }
    }

    /// Returns the text that the body prints.
    func collected(_ body: (Printer) throws -> Void) throws -> String {
        var collector = self
        collector.output = OutputBuffer(to: nil)
        try body(collector)
        return collector.output.text
    }

    /// Returns a part of the JSON array of all rows: some rows, with the start or the end of the array.
    func jsonPart(_ rows: [some Encodable], isFirst: Bool, isLast: Bool) throws -> String {
        if rows.isEmpty { return isFirst ? "[]\n" : "\n]\n" }
        let elements = try json(rows, .indented).dropFirst("[".count).dropLast("\n]".count)
        return (isFirst ? "[" : ",") + elements + (isLast ? "\n]\n" : "")
    }

    /// Returns JSON with all control characters escaped.
    private func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { return text }
        return text.unicodeScalars.map { scalar in
            scalar.isControl && scalar != "\n"
                ? "\\u\(String(scalar.value + 0x10000, radix: 16).dropFirst())" : "\(scalar)"
        }.joined()
    }

    /// Prints a line of any length.
    func line(_ line: Line = Line()) throws { try output.append(rendered(line) + "\n") }

    /// Prints a line, cut off with an ellipsis at the width of the terminal.
    func row(_ line: Line) throws { try self.line(line.truncated(to: width, mark: symbols["…"])) }

    /// Prints text, wrapped at the width of the terminal. `lead` is before the first line; the others are indented.
    func paragraph(_ text: String, _ style: Style = .plain, after lead: Line = Line()) throws {
        try lines(wrapped(text, style, to: max(1, width - lead.columns)), after: lead)
    }

    func paragraph(_ line: Line, after lead: Line = Line()) throws {
        try lines(line.wrapped(to: max(1, width - lead.columns)), after: lead)
    }

    func lines(_ lines: [Line], after lead: Line) throws {
        for (number, part) in lines.enumerated() {
            try line((number == 0 ? lead : Line().padded(to: lead.columns)) + part)
        }
    }

    var width: Int { columns ?? .max }

    /// Prints a remark that is not part of an answer.
    func remark(_ text: String) throws { try paragraph(text, .muted) }

    /// The text of the line, with control sequences for its styles if there is color.
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

/// Text that is written to a descriptor in large pieces; without a descriptor it is kept.
final class OutputBuffer {
    private static let pieceSize = 64 * 1024

    private let descriptor: Int32?
    private(set) var text = ""

    init(to descriptor: Int32?) { self.descriptor = descriptor }

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

/// The symbols that jokesctl adds to text. Jokes, JSON and the output of `--format` are UTF-8 in every locale.
enum Symbols {
    case unicode, ascii

    subscript(symbol: Character) -> String { self == .ascii ? asciiSymbol(for: symbol) ?? "?" : String(symbol) }

    /// Returns the symbols for the locale that the environment names: ASCII if its encoding is not UTF-8. Without a locale,
    /// text is UTF-8.
    static func ofLocale(_ environment: (String) -> String?) -> Symbols {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { environment($0) ?? "" }
        guard let name = names.first(where: { !$0.isEmpty }) else { return .unicode }
        // A name such as de_DE.UTF-8@euro.
        let encoding = name.lowercased().split(separator: ".").dropFirst().first?.prefix { $0 != "@" }
        return encoding == "utf-8" || encoding == "utf8" ? .unicode : .ascii
    }
}
