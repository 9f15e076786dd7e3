/// An error of the interface: its name and its parameters.
package enum JokesError: Error, Hashable, Sendable {
    case noSuchJoke(id: String)
    case ambiguousID(id: String, matches: [String])
    /// No source, category or language has this name. `nearest` is a similar name that exists.
    case unknownName(SuggestionKind, name: String, nearest: String? = nil)
    case sourceInUse(name: String)
    case noJokes(reason: String)
    case storageUnavailable(reason: String, hint: String? = nil)
    case busy(retryAfterMs: Int64, reason: String? = nil)
    case noSuchImport(id: String)
    case importRefused(reason: String)
    case cannotStart(reason: String, hint: String? = nil)
    case sourceFailed(reason: String, hint: String? = nil)
    case configurationRefused(reason: String, hint: String? = nil)

    /// The reason of `noJokes` if there are jokes, but none that the call asks for.
    package static let noMatchReason = "no cached joke matches"

    /// The reason of `noJokes` if the call asks for a source that is disabled and has no cached joke.
    package static func disabledReason(_ source: String) -> String { "source '\(source)' is disabled" }

    /// The maximum number of matches of an ambiguous ID.
    package static let maxMatches = 10

    /// The members of any error; those of other errors are absent.
    package struct Parameters: Codable, Hashable, Sendable {
        package var id: String?
        package var matches: [String]?
        package var what: SuggestionKind?
        package var name, nearest, reason, hint: String?
        package var retryAfterMs: Int64?
    }

    /// The qualified name: `org.jokesd.Jokes.NoSuchJoke`.
    package var fullName: String { JokesInterface.method(shortName) }

    private var shortName: String {
        switch self {
        case .noSuchJoke: "NoSuchJoke"
        case .ambiguousID: "AmbiguousId"
        case .unknownName: "UnknownName"
        case .sourceInUse: "SourceInUse"
        case .noJokes: "NoJokes"
        case .storageUnavailable: "StorageUnavailable"
        case .busy: "Busy"
        case .noSuchImport: "NoSuchImport"
        case .importRefused: "ImportRefused"
        case .cannotStart: "CannotStart"
        case .sourceFailed: "SourceFailed"
        case .configurationRefused: "ConfigurationRefused"
        }
    }

    package var parameters: Parameters {
        switch self {
        case .noSuchJoke(let id), .noSuchImport(let id): Parameters(id: id)
        case .ambiguousID(let id, let matches): Parameters(id: id, matches: matches)
        case .unknownName(let kind, let name, let nearest): Parameters(what: kind, name: name, nearest: nearest)
        case .sourceInUse(let name): Parameters(name: name)
        case .noJokes(let reason), .importRefused(let reason): Parameters(reason: reason)
        case .storageUnavailable(let reason, let hint), .cannotStart(let reason, let hint),
            .sourceFailed(let reason, let hint), .configurationRefused(let reason, let hint):
            Parameters(reason: reason, hint: hint)
        case .busy(let retryAfterMs, let reason): Parameters(reason: reason, retryAfterMs: retryAfterMs)
        }
    }

    /// Reads an error from a reply; nil if it is not of this interface, or lacks a member.
    package init?(fullName: String, parameters: Parameters) {
        let candidates: [JokesError?] = [
            parameters.id.map { .noSuchJoke(id: $0) },
            parameters.id.map { .ambiguousID(id: $0, matches: parameters.matches ?? []) },
            parameters.name.flatMap { name in
                parameters.what.map { .unknownName($0, name: name, nearest: parameters.nearest) }
            },
            parameters.name.map { .sourceInUse(name: $0) },
            parameters.reason.map { .noJokes(reason: $0) },
            parameters.reason.map { .storageUnavailable(reason: $0, hint: parameters.hint) },
            parameters.retryAfterMs.map { .busy(retryAfterMs: $0, reason: parameters.reason) },
            parameters.id.map { .noSuchImport(id: $0) },
            parameters.reason.map { .importRefused(reason: $0) },
            parameters.reason.map { .cannotStart(reason: $0, hint: parameters.hint) },
            parameters.reason.map { .sourceFailed(reason: $0, hint: parameters.hint) },
            parameters.reason.map { .configurationRefused(reason: $0, hint: parameters.hint) },
        ]
        guard let match = candidates.compactMap(\.self).first(where: { $0.fullName == fullName }) else { return nil }
        self = match
    }
}
