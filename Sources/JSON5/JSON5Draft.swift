/// One edit of a JSON5 text, in the style of the text.
struct JSON5Draft {
    private let root: LocatedJSON
    private let scalars: [Unicode.Scalar]
    private var changed: [Unicode.Scalar]

    /// `root` is the value of the text.
    init(_ text: String, _ root: LocatedJSON) {
        self.root = root
        scalars = Array(text.unicodeScalars)
        changed = scalars
    }

    /// The text after the edit.
    var text: String { Self.string(changed[...]) }

    /// Returns the text of a value. Its further lines have no indentation of the line where it starts.
    func text(in range: Range<Int>) -> String {
        let indentation = indentation(at: range.lowerBound).unicodeScalars.count
        let lines = scalars[range].split(omittingEmptySubsequences: false, whereSeparator: \.isJSON5LineEnd)
        return lines.enumerated().map { number, line in
            Self.string(number == 0 ? line : line.dropFirst(min(indentation, line.prefix { $0.isBlank }.count)))
        }.joined(separator: "\n")
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    // MARK: Edits

    mutating func replace(_ range: Range<Int>, with new: String) {
        changed.replaceSubrange(range, with: new.unicodeScalars)
    }

    /// Adds a child at the end of a list or an object, after its last comment.
    mutating func insert(_ new: String, in container: LocatedJSON) {
        let children = container.children ?? []
        let close = container.range.upperBound - 1
        let last = children.last
        let index = container.lastCommentEnd ?? last?.value.end ?? container.range.lowerBound + 1
        // An empty container has the style of the whole text.
        let end = (last ?? root.children?.last)?.value.comma != nil ? "," : ""
        let isOpen = scalars[index..<close].contains(where: \.isJSON5LineEnd)
        let flat = new.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
        let piece: String
        if isOpen || children.isEmpty && hasLines || !Self.areEqual(flat, new, asMembers: container.isObject) {
            let closing = indentation(at: close)
            let indentation = last.flatMap { ownIndentation(at: $0.start) } ?? closing + unit
            piece = lineEnd + indentation + indented(new, indentation) + end + (isOpen ? "" : lineEnd + closing)
        } else if let last, scalars[last.value.range].contains(where: \.isJSON5LineEnd) {
            piece = " " + indented(new, indentation(at: last.value.range.upperBound)) + end
        } else {
            piece = children.isEmpty ? flat : " " + flat + end
        }
        changed.insert(contentsOf: piece.unicodeScalars, at: index)
        if let last, last.value.comma == nil { changed.insert(",", at: last.value.range.upperBound) }
    }

    /// Returns whether two texts of a child have the same value. In one line, a `//` comment would hide the rest.
    private static func areEqual(_ one: String, _ other: String, asMembers: Bool) -> Bool {
        let values = [one, other].map { child in
            try? JSON5Reader.read(asMembers ? "{\(child)\n}" : "[\(child)\n]")
        }
        return values[0] == values[1]
    }

    /// Removes a child and its comma, and the line if nothing else is on it.
    mutating func remove(_ index: Int, of container: LocatedJSON) {
        guard let child = container.children?[index] else { return }
        let valueEnd = child.value.range.upperBound
        let previous = index > 0 ? container.children?[index - 1] : nil
        let isUnterminated = child.value.comma == nil && previous?.value.comma != nil
        var (start, end) = (child.start, valueEnd)
        var commas: [Int] = []
        if let comma = child.value.comma {
            // A comment before the comma stays.
            if isBlank(valueEnd..<comma) { end = comma + 1 } else { commas.append(comma) }
        } else if isUnterminated, let comma = previous?.value.comma {
            commas.append(comma)
        }
        let line = lineStart(of: start)
        let next = scalars[end...].firstIndex { !$0.isBlank } ?? scalars.count
        if isBlank(line..<start), next < scalars.count, scalars[next].isJSON5LineEnd {
            start = line
            end = scalars[next] == "\r" && scalars[(next + 1)...].first == "\n" ? next + 2 : next + 1
        } else if isUnterminated && !isBlank(line..<start) {
            while start > 0, scalars[start - 1].isBlank { start -= 1 }
        } else {
            end = next
        }
        var removed = Set(start..<end)
        removed.formUnion(commas)
        changed = scalars.indices.filter { !removed.contains($0) }.map { scalars[$0] }
    }

    // MARK: Style

    /// Returns a key in quotes if the first key of the text has quotes.
    func written(_ key: String) -> String {
        let first = root.children?.first.map { scalars[$0.start] }
        return root.isObject && first != nil && first != "\"" && first != "'" ? key : "\"\(key)\""
    }

    private var hasLines: Bool { scalars.contains(where: \.isJSON5LineEnd) }

    private var lineEnd: String {
        guard let index = scalars.firstIndex(where: \.isJSON5LineEnd), scalars[index] == "\r" else { return "\n" }
        return scalars[(index + 1)...].first == "\n" ? "\r\n" : "\r"
    }

    /// The characters of one level: the indentation of the first value on a line of its own.
    private var unit: String {
        root.children?.lazy.compactMap { ownIndentation(at: $0.start) }.first { !$0.isEmpty } ?? "  "
    }

    private func lineStart(of index: Int) -> Int {
        scalars[..<index].lastIndex(where: \.isJSON5LineEnd).map { $0 + 1 } ?? 0
    }

    /// The white space at the start of the line of an index.
    private func indentation(at index: Int) -> String {
        Self.string(scalars[lineStart(of: index)..<index].prefix { $0.isBlank })
    }

    /// The indentation of a value that is the first one on its line; nil for other values.
    private func ownIndentation(at index: Int) -> String? {
        let line = lineStart(of: index)
        return isBlank(line..<index) && line > 0 ? Self.string(scalars[line..<index]) : nil
    }

    private func isBlank(_ range: Range<Int>) -> Bool { scalars[range].allSatisfy(\.isBlank) }

    /// Returns a text in several lines with the indentation at its index and the levels of this text.
    private func indented(_ new: String, _ indentation: String) -> String {
        let lines = new.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.enumerated().map { number, line in
            if number == 0 || line.isEmpty { return String(line) }
            let spaces = line.prefix { $0 == " " }.count
            let levels = String(repeating: unit, count: spaces / 2) + String(repeating: " ", count: spaces % 2)
            return indentation + levels + line.dropFirst(spaces)
        }.joined(separator: lineEnd)
    }
}

extension Unicode.Scalar {
    /// True if it is a space or a tab.
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
