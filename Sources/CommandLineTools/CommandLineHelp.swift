import TextLayout

/// The maximum width of a help page.
package let helpColumns = 80

/// The options of a help page, one per line, with their summaries.
package func optionsHelp(_ options: [CommandOption]) -> String {
    helpTable(
        options.map { option in
            let letter = option.letter.map { "-\($0), " } ?? "    "
            return ("\(letter)--\(option.name)" + (option.argument.map { " \($0)" } ?? ""), option.summary)
        })
}

/// Rows of a help page in two columns, the second one wrapped at `helpColumns`. `width` is the minimum width of the
/// first column, which aligns several tables.
package func helpTable(_ rows: [(term: String, meaning: String)], width: Int = 0) -> String {
    let maxTermColumns = 24
    let width = max(width, rows.map(\.term.count).filter { $0 <= maxTermColumns }.max() ?? 0)
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { term, meaning in
        let lines = helpParagraph(meaning, indent: indent)
        guard term.count <= width else { return "  \(term)\n\(indent)\(lines)" }
        return "  \(term)\(String(repeating: " ", count: width + 2 - term.count))\(lines)"
    }.joined(separator: "\n")
}

/// A paragraph of a help page, wrapped at `helpColumns`. The first line is already indented.
package func helpParagraph(_ text: String, indent: String = "") -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return wrapped(words, to: helpColumns - indent.count).map(\.plainText).joined(separator: "\n\(indent)")
}
