import JokesCore
import SQLite

/// The database's form. Times are microseconds since 1970, fingerprints 32 bytes.
package enum Schema {
    static let fileName = "jokes.sqlite"
    /// "joke" in ASCII: what file(1) and the store tell this program's databases by.
    package static let applicationID: Int32 = 0x6A6F_6B65
    /// The place of a source that was never configured, such as that of imported jokes: behind all configured ones.
    static let unconfiguredPlace = 1_000_000
    /// The place of a source that is no longer configured. Its jokes are not shown.
    static let removedPlace = 2_000_000

    /// All tables there are, but those that SQLite makes for itself.
    package static let tables = [
        "draws", "favorites", "groups", "hidden", "joke_categories", "jokes", "pools", "settings", "shown_words",
        "sources",
    ]

    /// What a joke says, in the order of `JokeContent.init(row:from:)`.
    static let contentColumns = "setup, punchline, language, categories, flags, safety, url, author, upstream_date"

    /// `contentColumns`, and the language and safety that the source states.
    static let allContentColumns = "\(contentColumns), stated_language, stated_safety"

    /// Every migration there has been; one that was released is never changed.
    package static let migrations = [
        version1, version2, version3, version4, version5, version6, version7, version8, version9,
    ]
}
