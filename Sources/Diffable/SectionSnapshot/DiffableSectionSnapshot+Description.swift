extension DiffableSectionSnapshot: CustomStringConvertible {
    /// The same as `visualDescription()`.
    public var description: String { visualDescription() }

    /// The identifiers of all items, one a line, indented by level, each behind a mark: `-` is expanded, `+` is collapsed
    /// with items under it, `*` is collapsed with none.
    ///
    /// Printable ASCII, whatever the identifiers hold. From level 32 on the level is said in brackets in place of a deeper
    /// indentation, so that the text's length is O(n).
    public func visualDescription() -> String {
        outline.walk().map { step in
            let indentation = String(repeating: "  ", count: min(step.level, 32))
            let level = step.level < 32 ? "" : "[\(step.level)] "
            let name = "\(self[step.node].identifier)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return "\(indentation)\(level)\(mark(of: step.node)) \(name)"
        }.joined(separator: "\n")
    }

    private func mark(of node: Outline.Node) -> String {
        if outline.isExpanded(node) { return "-" }
        return outline.links[Int(node)].first == Outline.none ? "*" : "+"
    }
}
