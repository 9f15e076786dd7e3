// Help pages, as wide as the narrowest terminal that is usual.

/// The columns that a help page keeps to.
package let helpColumns = 80

/// The options as a help page lists them: what is written, and its summary in one column with the others.
package func optionsHelp(_ options: [OptionSpecification]) -> String {
    helpTable(
        options.map { option in
            let letter = option.letter.map { "-\($0), " } ?? "    "
            return ("\(letter)--\(option.name)" + (option.argument.map { " \($0)" } ?? ""), option.summary)
        })
}

/// Rows of a help page in two columns, the second wrapped within `helpColumns`.
///
/// - Parameters:
///   - rows: what is written, and what it means.
///   - width: of the first column at least, so that several tables of a page may stand under each other.
/// - Returns: the lines, the last without a line feed.
package func helpTable(_ rows: [(term: String, meaning: String)], width: Int = 0) -> String {
    let widest = 24
    let width = max(width, rows.map(\.term.count).filter { $0 <= widest }.max() ?? 0)
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { term, meaning in
        let lines = wrapped(meaning, columns: helpColumns - indent.count).joined(separator: "\n\(indent)")
        guard term.count <= width else { return "  \(term)\n\(indent)\(lines)" }
        return "  \(term)\(String(repeating: " ", count: width + 2 - term.count))\(lines)"
    }.joined(separator: "\n")
}

/// A paragraph of a help page, broken between words so that no line is longer than `helpColumns`.
package func helpParagraph(_ text: String) -> String {
    wrapped(text, columns: helpColumns).joined(separator: "\n")
}

/// Lines of whole words; a word that is longer than a line has one of its own. Each character counts as one column: these
/// are our own words.
private func wrapped(_ text: String, columns: Int) -> [String] {
    text.split(whereSeparator: \.isWhitespace).reduce(into: []) { lines, word in
        if let last = lines.last, last.count + 1 + word.count <= columns {
            lines[lines.count - 1] = "\(last) \(word)"
        } else {
            lines.append(String(word))
        }
    }
}
