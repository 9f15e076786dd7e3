/// An error of the interface. It encodes itself as an object with its name and parameters.
package enum JokesError: Error, Codable, Hashable, Sendable {
    case noSuchJoke(id: String)
    case ambiguousID(id: String, matches: [String])
    /// No source, category or language has this name. `nearest` is a similar name that exists.
    case unknownName(what: SuggestionKind, name: String, nearest: String? = nil)
    case sourceInUse(name: String)
    case noJokes(reason: String)
    case storageUnavailable(reason: String, hint: String? = nil)
    case busy(retryAfterMs: Int64, reason: String? = nil)
    case noSuchImport(id: String)
    case importRefused(reason: String)
    case cannotStart(reason: String, hint: String? = nil)
    case sourceFailed(reason: String, hint: String? = nil)
    case configurationRefused(reason: String, hint: String? = nil)

    private enum CodingKeys: String, CodingKey {
        case noSuchJoke = "NoSuchJoke"
        case ambiguousID = "AmbiguousId"
        case unknownName = "UnknownName"
        case sourceInUse = "SourceInUse"
        case noJokes = "NoJokes"
        case storageUnavailable = "StorageUnavailable"
        case busy = "Busy"
        case noSuchImport = "NoSuchImport"
        case importRefused = "ImportRefused"
        case cannotStart = "CannotStart"
        case sourceFailed = "SourceFailed"
        case configurationRefused = "ConfigurationRefused"
    }

    /// The reason of `noJokes` if there are jokes, but none that the call asks for.
    package static let noMatchReason = "no cached joke matches"

    /// The maximum number of matches of an ambiguous ID.
    package static let maxMatches = 10
}
