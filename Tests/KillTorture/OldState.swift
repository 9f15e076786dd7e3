import JokesCore
import JokesStore
import SQLite

/// A database that the first version of the program wrote, with so much in it that bringing it up to date takes time.
enum OldState {
    private static let jokes = 2_500
    private static let favorites = 50

    /// The texts of its favorites.
    static let starred = Set((1...favorites).map(fingerprint))

    static func write(to path: String) throws {
        let connection = try Connection(path: path, .init(access: .writing))
        try connection.migrate(Array(Schema.migrations.prefix(1)), applicationID: Schema.applicationID)
        try connection.write {
            try connection.execute("PRAGMA defer_foreign_keys = ON")
            try connection.execute(
                """
                INSERT INTO sources (key, name, place, jokes, shown, failure_count)
                VALUES (1, 'old', 0, \(jokes), \(jokes), 0)
                """)
            for number in 1...jokes { try insert(number, connection) }
        }
    }

    private static let content = "setup, punchline, language, categories, flags, safety"

    private static func insert(_ number: Int, _ connection: Connection) throws {
        let print = fingerprint(number).bytes
        try connection.prepare(
            "INSERT INTO groups (key, fingerprint, shuffle, told, shown, source, length) VALUES (?1, ?2, 5, 0, ?1, 1, ?3)"
        ).run(number, print, text(number).count)
        try connection.prepare(
            """
            INSERT INTO jokes (key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen,
                \(content))
            VALUES (?1, 'old:' || ?1, 1, ?1, 1, ?2, ?1, ?1, ?1, ?3, NULL, 'en', '', 0, 'safe')
            """
        ).run(number, text(number).count, text(number))
        guard number <= favorites else { return }
        try connection.prepare(
            """
            INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, \(content))
            VALUES (?2, 'old:' || ?1, ?1, ?1, ?3, NULL, 'en', '', 0, 'safe')
            """
        ).run(number, print, text(number))
    }

    private static func text(_ number: Int) -> String {
        "An old duck, number \(number), remembers " + String(repeating: "quacking and ", count: 6) + "nothing."
    }

    private static func fingerprint(_ number: Int) -> Fingerprint {
        Fingerprint(of: .single(text(number)))
    }
}
