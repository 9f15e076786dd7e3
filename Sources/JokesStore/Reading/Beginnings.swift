/// What a word in a long ordered list may become, in a few words: those that begin so, or where they are too many,
/// beginnings that all of them together have.
///
/// A shell completes what its candidates have in common. Of a list that is only cut off, that would be something that not
/// all have.
struct Beginnings {
    let limit: Int

    /// Ids begin with a source's name, whole.
    private static let nameEnd: Unicode.Scalar = ":"

    /// A bound above everything that begins with the prefix, in the order of code points: words hold no unassigned ones.
    static func end(of prefix: String) -> String {
        prefix + "\u{10FFFF}"
    }

    /// All words that begin so, in order, or where they are more than the limit, beginnings of them: each longer than the
    /// prefix, of each word one, and with no more in common than the words. None where those are too many, too.
    ///
    /// They are had from `next`: from the one bound and below the other, in the order of code points, so many at most.
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
            // Where all go on alike, it is with what they have in common that the differences begin.
            common = children[0]
        }
    }

    /// The beginnings that are a step longer, and the word itself where it is one; one more than the limit at most.
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
