import JokesCore
import JokesStore
import SQLite

/// A database as earlier versions of the program wrote it.
struct OldDatabase {
    let path: String

    private static let content = "setup, punchline, language, categories, flags, safety"

    /// Writes what the first version wrote, and takes it over to every other up to this one.
    func write(version: Int) throws {
        let connection = try Connection(path: path, .init(access: .writing))
        try writeVersion1(connection)
        try connection.migrate(Array(Schema.migrations.prefix(version)), applicationID: Schema.applicationID)
    }

    /// Jokes 1 and 2 of source a are one, and b's is unsafe; a:1 is starred, b:5 is hidden.
    private func writeVersion1(_ connection: Connection) throws {
        try connection.migrate(Array(Schema.migrations.prefix(1)), applicationID: Schema.applicationID)
        let texts = [
            try joke("a", "1", "One small duck."), try joke("b", "4", "Rude duck.", "Quack."),
            try joke("b", "5", "Two ducks."),
        ]
        try connection.execute(
            """
            INSERT INTO sources (key, name, place, jokes, shown, swept_at, cursor, failure_count)
            VALUES (1, 'a', 0, 2, 1, 7000000, 'page 3', 2), (2, 'b', 1, 2, 0, NULL, NULL, 0)
            """)
        for (place, joke) in texts.enumerated() {
            try connection.prepare("INSERT INTO groups (key, fingerprint, shuffle, told) VALUES (?, ?, 5, ?)")
                .run(place + 1, joke.fingerprint.bytes, place)
        }
        try connection.execute(
            """
            PRAGMA defer_foreign_keys = ON;
            INSERT INTO jokes (key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen,
                \(Self.content))
            VALUES (1, 'a:1', 1, 1, 1, 15, \(texts[0].contentHash.value), 3000000, 3000000,
                    'One small duck.', NULL, 'en', 'Pun', 0, 'safe'),
                (2, 'a:2', 1, 1, 1, 15, 8, 4000000, 5000000, 'ONE small duck.', NULL, 'en', '', 0, 'safe'),
                (3, 'b:4', 2, 2, 0, 16, 9, 4000000, 5000000, 'Rude duck.', 'Quack.', 'en', '', 1, 'unsafe'),
                (4, 'b:5', 2, 3, 1, 10, 9, 4000000, 5000000, 'Two ducks.', NULL, 'en', '', 0, 'safe');
            UPDATE groups SET shown = 1, source = 1, length = 15 WHERE key = 1;
            INSERT INTO joke_categories VALUES ('Pun', 1);
            """)
        try connection.prepare("INSERT INTO hidden VALUES (?, 9)").run(texts[2].fingerprint.bytes)
        try connection.prepare(
            """
            INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, \(Self.content))
            VALUES (?, 'a:1', 6000000, 3000000, 'One small duck.', NULL, 'en', 'Pun', 0, 'safe')
            """
        ).run(texts[0].fingerprint.bytes)
    }
}
