/// What a word on the command line may name that only the daemon knows.
enum SuggestionKind: String, CaseIterable, Hashable, Sendable {
    /// The id of a joke that is shown.
    case id
    /// The id of a favorite.
    case favorite
    /// The id of a joke that was hidden.
    case hidden
    case source
    case category
    case language
}
