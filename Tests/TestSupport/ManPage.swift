package import Unix

/// A manual page of docs/man, as far as tests compare it with a program: the headings, lists and displays of its mdoc(7).
package struct ManPage {
    /// The file's name, `jokesd.8`.
    package let name: String
    private let lines: [Substring]

    /// - Throws: `SystemError` where there is no such page.
    package init(_ name: String) throws(SystemError) {
        self.name = name
        let text = String(
            decoding: try contentsOfFile(PlainPython.checkout("docs/man/\(name)"), limit: 1 << 20), as: UTF8.self)
        lines = text.split(separator: "\n").filter { !$0.hasPrefix(".\\\"") }
    }

    /// The titles of the sections and subsections, in order.
    package var headings: [String] {
        lines.compactMap(Self.heading).map(\.title)
    }

    /// The lines below a heading, a section's with its subsections; none where there is no such heading.
    private func body(of title: String) -> ArraySlice<Substring> {
        guard let start = lines.firstIndex(where: { Self.heading($0)?.title == title }) else { return [] }
        let isSection = lines[start].hasPrefix(".Sh")
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { line in Self.heading(line).map { $0.isSection || !isSection } ?? false }
        return rest[..<(end ?? rest.endIndex)]
    }

    private static func heading(_ line: Substring) -> (title: String, isSection: Bool)? {
        guard line.hasPrefix(".Sh ") || line.hasPrefix(".Ss ") else { return nil }
        return (String(line.dropFirst(4)), line.hasPrefix(".Sh"))
    }

    /// The lines of a macro below a heading, without its name, as they are written: `-socket Ar PATH` of `.Fl`.
    package func lines(of macro: String, in title: String) -> [String] {
        body(of: title).filter { $0.hasPrefix(".\(macro) ") }.map { String($0.dropFirst(macro.count + 2)) }
    }

    /// What stands before the text of each entry of the lists below a heading, as they are written.
    package func items(in title: String) -> [String] {
        lines(of: "It", in: title)
    }

    /// What is shown as it is below a heading: the displays of more lines than one.
    package func displays(in title: String) -> [String] {
        body(of: title).split { $0.hasPrefix(".Bd -literal") }.dropFirst().map { display in
            display.prefix { $0 != ".Ed" }.map { Self.plain($0) + "\n" }.joined()
        }
    }

    // MARK: Text

    /// A text without roff(7)'s escapes.
    package static func plain(_ text: some StringProtocol) -> String {
        escapes.reduce(String(text)) { $0.replacing($1.escape, with: $1.text) }
    }

    private static let escapes = [
        ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~"),
        ("\\(da", "\u{2193}"), ("\\(ua", "\u{2191}"), ("\\(<-", "\u{2190}"), ("\\(->", "\u{2192}"),
        ("\\(en", "\u{2013}"),
        ("\\e", "\\"),
    ].map { (escape: $0, text: $1) }

    /// A line as it is shown, without fonts: `-h, --help` of `Fl h , Fl -help`, `[ID ...]` of `Op Ar ID ...`.
    package static func shown(_ line: String) -> String {
        var isOption = false
        var end = ""
        return line.split(separator: " ").reduce("") { shown, word in
            switch word {
            case "Op":
                end += "]"
                return shown + (shown.isEmpty ? "[" : " [")
            case _ where fonts.contains(word):
                isOption = word == "Fl"
                return shown
            case ",": return shown + ","
            default:
                let space = shown.isEmpty || shown.hasSuffix("[") ? "" : " "
                return shown + space + (isOption ? "-" : "") + plain(word)
            }
        } + end
    }

    private static let fonts: Set<Substring> = ["Ar", "Cm", "Er", "Ev", "Fl", "Fn", "Ic", "Li"]
}
