/// Which jokes may be shown. Applied to what is cached, so that another filter needs no fetch.
package struct JokeFilter: Hashable, Sendable {
    /// Only jokes marked safe: neither `unsafe` nor `unknown`.
    package var safe: Bool
    /// Only these languages (`en` admits `en-GB`); all where empty. `und` passes where `und` is listed.
    package var languages: [String]
    /// None with one of these flags.
    package var flags: JokeFlags
    /// None with one of these words, whatever their case; whole words only.
    package var words: [String]
    /// None longer than this, in characters over all parts; no limit where nil.
    package var maxLength: Int?

    package init(
        safe: Bool = true, languages: [String] = [], flags: JokeFlags = [], words: [String] = [],
        maxLength: Int? = 2000
    ) {
        self.safe = safe
        self.languages = languages
        self.flags = flags
        self.words = words
        self.maxLength = maxLength
    }

    /// Whether a joke passes. O(text) where words are given.
    package func admits(_ content: JokeContent) -> Bool {
        if safe && (content.safety != .safe || !content.flags.isEmpty) { return false }
        if !content.flags.isDisjoint(with: flags) { return false }
        if !languages.isEmpty && !languages.contains(where: { content.language.isWithin($0) }) { return false }
        let parts = [content.text.setup, content.text.punchline ?? ""]
        if let maxLength, parts.reduce(0, { $0 + $1.count }) > maxLength { return false }
        if words.isEmpty { return true }
        let unwanted = Set(words.map { $0.lowercased() })
        return parts.allSatisfy { part in
            part.lowercased().split { !$0.isLetter && !$0.isNumber }.allSatisfy { !unwanted.contains(String($0)) }
        }
    }
}

extension String {
    fileprivate func isWithin(_ range: String) -> Bool {
        let (tag, range) = (lowercased(), range.lowercased())
        return tag == range || tag.hasPrefix(range + "-")
    }
}
