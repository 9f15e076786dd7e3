import JokesCore
import Unix

/// The JSON of jokesctl, as far as the tests use it. Only times are decoded with a type of the program.
struct PrintedJoke: Decodable, Equatable {
    var id: String
    var setup: String
    var punchline: String?
    var favorite: Bool?
    var categories: [String]
}

struct PrintedSearchResult: Decodable, Equatable {
    struct TextRange: Decodable, Equatable {
        var part: String
        var start: Int
        var end: Int
    }

    var joke: PrintedJoke
    var marks: [TextRange]
    var snippet: TextRange
}

struct PrintedSource: Decodable {
    var name: String
    var type: String
    var jokes: PrintedCounts
    var new: Int
    var refused: Int
    var syncing: Bool
    var failingSince: PrintedTime?
    var failure: String?
    var failures: Int
    var nextAttempt: PrintedTime?
    var lastSuccess: PrintedTime?
    var note: String?

    /// The source has been synced, and no sync is running.
    var isQuiet: Bool {
        !syncing && (lastSuccess != nil || failure != nil)
    }
}

struct PrintedCounts: Decodable, Equatable {
    var cached: Int
    var shown: Int
    var filteredOut: Int
    var unrated: Int
    var hidden: Int
    var duplicates: Int
    var evicted: Int
}

struct PrintedStatus: Decodable {
    var jokes: PrintedCounts
    var favorites: Int
    var offline: Bool
    var syncing: Bool
    var failing: [String]
    var storageFailure: String?
    var storageHint: String?
    var recoveries: [PrintedRecovery]
}

struct PrintedRecovery: Decodable {
    var at: PrintedTime
    var reason: String
    var damagedFile: String
    var favorites: Int
    var favoritesLost: Int
}

/// A line of `jokesctl watch --json`.
struct PrintedChange: Decodable {
    struct Filled: Decodable {
        var section: Section
        var items: [Item]
    }

    struct Section: Decodable {
        struct Jokes: Decodable {
            var shown: Int
            var syncing: Bool
            var failing: [String]
        }

        struct Favorites: Decodable {
            var count: Int
        }

        var id: String
        var jokes: Jokes?
        var favoriteJokes: Favorites?
    }

    struct Item: Decodable {
        var id: String
        var kind: String
        var joke: PrintedJoke?
    }

    struct Run: Decodable {
        var section: String
        var index: Int
        var items: [Item]
    }

    struct Place: Decodable {
        var section: Section
        var index: Int
    }

    struct Difference: Decodable {
        var base: Int
        var deletedItems: [String]?
        var insertedSections: [Place]?
        var insertedItems: [Run]?
        var updatedItems: [Item]?
        var updatedSections: [Section]?
    }

    var epoch: String
    var generation: Int
    var snapshot: [Filled]?
    var difference: Difference?
}

/// A time, which is printed in RFC 3339.
struct PrintedTime: Decodable, Hashable {
    let microseconds: Int64

    /// The microseconds of the current time, as it is printed: in whole seconds.
    static var now: Int64 { wallClockMicroseconds() / 1_000_000 * 1_000_000 }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not in RFC 3339")
        }
        microseconds = time.microseconds
    }
}
