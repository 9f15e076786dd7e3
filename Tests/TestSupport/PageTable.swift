import Unix

/// A Markdown table of a page in docs/, for tests that compare the page with the programs.
package struct PageTable {
    /// The cells of the first row.
    package let header: [String]
    /// The cells of each row after the header and the delimiter row, without surrounding spaces.
    package let rows: [[String]]

    /// Returns the tables of a page whose first header cell is `word`, each with the title of its section.
    package static func all(of page: String, headed word: String) throws -> [(section: String, table: PageTable)] {
        let lines = String(decoding: try contentsOfFile(SystemPython.checkoutPath(page), limit: 1 << 20), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var found: [(String, PageTable)] = []
        var section = ""
        var index = 0
        while index < lines.count {
            if lines[index].hasPrefix("#") { section = String(lines[index].drop { $0 == "#" || $0 == " " }) }
            let block = lines[index...].prefix { $0.hasPrefix("|") }
            if let head = block.first, cells(head).first == word {
                found.append((section, PageTable(header: cells(head), rows: block.dropFirst(2).map(cells))))
            }
            index += max(block.count, 1)
        }
        return found
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Returns the code spans in a cell.
    package static func codeSpans(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
