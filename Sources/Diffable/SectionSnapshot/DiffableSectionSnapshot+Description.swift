extension DiffableSectionSnapshot: CustomStringConvertible {
    /// The same as `visualDescription()`.
    public var description: String { visualDescription() }

    /// Returns the identifiers of all items in lines that are indented by level. The mark before an identifier is `-` for an
    /// expanded item, `+` for a collapsed item with children, and `*` for a collapsed item without children.
    ///
    /// The text is printable ASCII. From level 32 on, it has the level in brackets and no deeper indentation, so its length is
    /// O(n).
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
