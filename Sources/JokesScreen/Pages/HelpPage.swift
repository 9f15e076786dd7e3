import Terminal
import TextLayout

extension Page.Kind {
    static let help: Page.Kind = Page.Kind(
        name: "help", title: { _ in "Help" }, content: { PageContent(lines: $0.helpLines(to: $1)) },
        hints: { $0.helpHints },
        popupWidth: 124, matches: { $0.helpMatchCount })
}

extension Model {
    private static let minHelpColumns = 36

    fileprivate var helpHints: [KeyHint] {
        let more = isPageCutOff ? [keyHint(.pageDown, "more")] : []
        if page?.search == nil { return more + [keyHint(.search, "find"), backHint] }
        return more + [keyHint(.search, "edit"), KeyHint([.escape], "all keys")]
    }

    /// The keys by subject, made from the key table, in as many columns as fit, or in one.
    func helpLines(to columns: Int, inOneColumn: Bool = false) -> [Line] {
        let count = inOneColumn ? 1 : max(1, columns / Self.minHelpColumns)
        let width = (columns + 2) / count
        let blocks = helpBindings.map { helpLines(of: $0, $1, width: width - 2) }
        if blocks.isEmpty { return wrapped("No key matches '\(page?.search?.text ?? "")'.", to: columns) }
        let parts = self.columns(of: blocks, atMost: count)
        let height = parts.map(\.count).max() ?? 0
        return (0..<height).map { row in
            parts.enumerated().reduce(Line()) { line, part in
                line.padded(to: part.offset * width) + (row < part.element.count ? part.element[row] : Line())
            }
        }
    }

    /// The number of bindings that match the search.
    fileprivate var helpMatchCount: Int { helpBindings.reduce(0) { $0 + $1.1.count } }

    /// The bindings that match all words of the search, by subject.
    private var helpBindings: [(KeyTable.Group, [KeyTable.Binding])] {
        KeyTable.Group.allCases.compactMap { group in
            let bindings = keys.bindings.filter { binding in
                binding.group == group
                    && isFound("\(group.rawValue) \(helpName(of: binding)) \(binding.summary)", on: .help)
            }
            return bindings.isEmpty ? nil : (group, bindings)
        }
    }

    private func helpName(of binding: KeyTable.Binding) -> String { binding.keys.map(\.name).joined(separator: " ") }

    private func helpLines(of group: KeyTable.Group, _ bindings: [KeyTable.Binding], width: Int) -> [Line] {
        let names = bindings.map(helpName)
        let nameWidth = min(names.map(\.columns).max() ?? 0, max(1, width / 3))
        let entries = zip(names, bindings).flatMap { name, binding in
            let parts = wrapped(binding.summary, to: max(1, width - nameWidth - 2))
            return parts.enumerated().map { number, part in
                Line(number == 0 ? name : "", .accent).fitted(to: nameWidth) + Line("  ") + part
            }
        }
        return [Line(group.rawValue, Style(.bold, .heading))] + entries
    }

    /// The blocks one below the other, in columns of the smallest possible height.
    private func columns(of blocks: [[Line]], atMost count: Int) -> [[Line]] {
        var height = blocks.map(\.count).max() ?? 0
        while true {
            let columns = blocks.reduce(into: [[Line]]()) { columns, block in
                if let last = columns.last, last.count + 1 + block.count <= height {
                    columns[columns.count - 1] += [Line()] + block
                } else {
                    columns.append(block)
                }
            }
            if columns.count <= count { return columns }
            height += 1
        }
    }
}
