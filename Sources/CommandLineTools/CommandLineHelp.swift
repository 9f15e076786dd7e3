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
        let lines = wrapped(meaning, columns: helpColumns - indent.count).joined(separator: "\n\(indent)")
        guard term.count <= width else { return "  \(term)\n\(indent)\(lines)" }
        return "  \(term)\(String(repeating: " ", count: width + 2 - term.count))\(lines)"
    }.joined(separator: "\n")
}

/// A paragraph of a help page, wrapped at `helpColumns`.
package func helpParagraph(_ text: String) -> String {
    wrapped(text, columns: helpColumns).joined(separator: "\n")
}

/// Lines of whole words. A longer word gets a line of its own; each character counts as one column.
private func wrapped(_ text: String, columns: Int) -> [String] {
    text.split(whereSeparator: \.isWhitespace).reduce(into: []) { lines, word in
        if let last = lines.last, last.count + 1 + word.count <= columns {
            lines[lines.count - 1] = "\(last) \(word)"
        } else {
            lines.append(String(word))
        }
    }
}
