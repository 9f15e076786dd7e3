/// A selection of the jokes that are shown; all of them if nothing is set.
package struct JokeSelection: Hashable, Sendable {
    /// The name of the source.
    package var source: String?
    /// Case-insensitive in ASCII.
    package var category: String?
    /// A language tag or its beginning: `en` also selects `en-GB`.
    package var language: String?
    /// The maximum number of characters in all parts.
    package var maxLength: Int?
    /// True to select favorites only.
    package var isFavorite: Bool
    /// True to select only jokes that were never served as random jokes or jokes of the day.
    package var isUnseen: Bool

    package init(
        source: String? = nil, category: String? = nil, language: String? = nil, maxLength: Int? = nil,
        isFavorite: Bool = false, isUnseen: Bool = false
    ) {
        (self.source, self.category, self.language, self.maxLength) = (source, category, language, maxLength)
        (self.isFavorite, self.isUnseen) = (isFavorite, isUnseen)
    }

    /// True if every joke is selected.
    package var isEmpty: Bool { self == JokeSelection() }

    /// Returns true if a favorite is selected. `isUnseen` selects every favorite.
    package func selects(_ favorite: Favorite) -> Bool {
        let content = favorite.content
        if let source, favorite.id.source != source { return false }
        if let category, !content.categories.contains(where: { $0.equalsIgnoringASCIICase(category) }) { return false }
        if let language, !"\(content.language)-".hasASCIIPrefix("\(language)-") { return false }
        return maxLength.map { content.text.length <= $0 } ?? true
    }
}

extension String {
    private var asciiLowercase: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

    fileprivate func equalsIgnoringASCIICase(_ other: String) -> Bool { asciiLowercase == other.asciiLowercase }

    fileprivate func hasASCIIPrefix(_ prefix: String) -> Bool { asciiLowercase.starts(with: prefix.asciiLowercase) }
}
