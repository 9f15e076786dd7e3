/// Completions of a prefix from a long ordered list: the words, or if there are too many, common prefixes of them.
///
/// A shell inserts the common prefix of its candidates, so the list must not just be cut off.
struct Beginnings {
    let limit: Int

    /// Ends the name of the source in an ID.
    private static let nameEnd: Unicode.Scalar = ":"

    /// Returns an upper bound of the words with the prefix: words have no unassigned code points.
    static func end(of prefix: String) -> String {
        prefix + "\u{10FFFF}"
    }

    /// Returns all words with the prefix in order. If they exceed the limit, returns longer prefixes of them instead: one
    /// for each word, with no more in common than the words have; none if these also exceed the limit.
    ///
    /// `next` returns at most `count` words from one bound and below the other, in the order of code points.
    func words(
        beginningWith prefix: String, _ next: (_ from: String, _ end: String, _ count: Int) throws -> [String]
    ) rethrows -> [String] {
        let all = try next(prefix, Self.end(of: prefix), limit + 1)
        guard all.count > limit else { return all }
        var common = prefix
        while true {
            var children = try self.children(of: common, wholeNames: true, next)
            if children.count > limit { children = try self.children(of: common, wholeNames: false, next) }
            if children.count > limit { return common == prefix ? [] : [common] }
            guard children.count == 1 else { return children }
            // All words continue alike: look for the first difference after that.
            common = children[0]
        }
    }

    /// Returns the prefixes that are a step longer, at most one more than the limit, and `common` if it is a word.
    private func children(
        of common: String, wholeNames: Bool, _ next: (_ from: String, _ end: String, _ count: Int) throws -> [String]
    ) rethrows -> [String] {
        var children: [String] = []
        var from = common
        while children.count <= limit, let word = try next(from, Self.end(of: common), 1).first {
            let child = Self.step(from: common, towards: word, wholeNames: wholeNames)
            children.append(child)
            from = child == common ? common + "\u{0}" : Self.end(of: child)
        }
        return children
    }

    private static func step(from common: String, towards word: String, wholeNames: Bool) -> String {
        let scalars = word.unicodeScalars
        let rest = scalars.dropFirst(common.unicodeScalars.count)
        let isInName = wholeNames && !common.unicodeScalars.contains(nameEnd)
        let last = isInName ? rest.firstIndex(of: nameEnd) : rest.indices.first
        return String(scalars[..<(last.map(scalars.index(after:)) ?? scalars.endIndex)])
    }
}
