import JokesCore
package import SQLite

/// The tables of the database. Times are microseconds since 1970, fingerprints 32 bytes.
package enum Schema {
    static let fileName = "jokes.sqlite"
    /// The application ID of SQLite, "joks" in ASCII, by which file(1) and the store identify databases of this
    /// program.
    package static let applicationID: Int32 = 0x6A6F_6B73
    /// The value of `sources.order_index` for a source that was never configured, such as the source of imported jokes.
    /// Larger than the indexes of configured sources.
    static let unconfiguredOrderIndex = 1_000_000
    /// The value of `sources.order_index` for a source that is no longer configured. Its jokes are not shown.
    static let removedOrderIndex = 2_000_000

    /// The tokenizer of the full-text index, which each connection needs.
    package static let tokenizer = Tokenizer("search_words") { text, body in try SearchWords.forEach(in: text, body) }

    /// All tables, except those that SQLite creates for itself.
    package static let tables = [
        "favorites", "groups", "hidden", "jokes", "settings", "shown_categories", "shown_words", "sources",
    ]

    /// The columns of `JokeContent`, in the order of `JokeContent.init(row:from:)` and `JokeContent.columnValues(stated:)`.
    static let contentColumns =
        "setup, punchline, language, categories, flags, safety, "
        + JokeDetail.allCases.map(\.rawValue).joined(separator: ", ")

    /// The language and safety that the source states, and `contentColumns`.
    static let allContentColumns = "stated_language, stated_safety, \(contentColumns)"

    /// The parameters for `allContentColumns`.
    static let contentParameters = allContentColumns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")

    /// A FROM clause: the favorites `f` whose texts have a group `g`, even if the group has no jokes.
    static let favoritesAndGroups = """
        favorites f CROSS JOIN groups g
            ON substr(g.fingerprint, 1, 6) = substr(f.fingerprint, 1, 6) AND g.fingerprint = f.fingerprint
        """

    /// A FROM clause: the hidden marks `h` whose texts have a group `g`, even if the group has no jokes.
    static let hiddenAndGroups = """
        hidden h CROSS JOIN groups g
            ON substr(g.fingerprint, 1, 6) = substr(h.fingerprint, 1, 6) AND g.fingerprint = h.fingerprint
        """

    /// The SQL scripts that create and update the tables. Script n migrates a database from version n to n + 1.
    ///
    /// A released script is never changed: append a new one.
    package static let migrations = [version1 + wordIndex]

    /// The SQL definitions of `contentColumns`.
    static let contentDefinitions = """
        setup TEXT NOT NULL,
        punchline TEXT,              -- NULL if the joke has one part
        language TEXT NOT NULL,
        categories TEXT NOT NULL,    -- one category per line
        flags INTEGER NOT NULL,      -- bits of JokeFlags
        safety TEXT NOT NULL,
        url TEXT,
        author TEXT,
        date TEXT
        """

    private static let version1 = """
        CREATE TABLE settings (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sources (
            key INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            order_index INTEGER NOT NULL,          -- index in the configured order; see also removedOrderIndex
            jokes INTEGER NOT NULL DEFAULT 0,      -- number of stored jokes
            shown INTEGER NOT NULL DEFAULT 0,      -- number of shown jokes
            evicted INTEGER NOT NULL DEFAULT 0,    -- number of jokes that a full cache evicted or refused
            full_sync INTEGER NOT NULL DEFAULT 0,  -- number of the last full sync that began
            is_in_full_sync INTEGER NOT NULL DEFAULT 0,
            full_sync_at INTEGER,                  -- end of the last completed full sync
            pass_key INTEGER,                      -- smallest key of the last pass; NULL if it has no new joke
            is_in_answer INTEGER NOT NULL DEFAULT 0,  -- the pass has only the first batches of its last answer
            last_jokes_at INTEGER,                 -- time at which the source last returned jokes
            last_answer_at INTEGER,                -- time of the last answer, also of one without jokes
            sync_interval INTEGER NOT NULL DEFAULT 0,
            is_local INTEGER NOT NULL DEFAULT 0,   -- reads files of this machine
            state TEXT,                            -- SourceState in JSON
            position TEXT                          -- SourcePosition in JSON
        ) STRICT;

        -- Jokes with the same fingerprint are duplicates and form a group. At most one joke of a group is shown. A
        -- group also has what must survive the removal of its jokes, such as the number of deliveries.
        CREATE TABLE groups (
            key INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL,
            -- Key of the joke that is shown; NULL if none.
            shown INTEGER REFERENCES jokes DEFERRABLE INITIALLY DEFERRED,
            source INTEGER REFERENCES sources,     -- of the joke that is shown
            length INTEGER,                        -- of the joke that is shown
            language TEXT,                         -- of the joke that is shown, in lower case
            -- The least safe rating that a source has stated for the text, also in a joke that was removed.
            flags INTEGER NOT NULL,                -- bits of JokeFlags
            is_unsafe INTEGER NOT NULL,
            serve_count INTEGER NOT NULL DEFAULT 0,
            served_at INTEGER,                     -- time of the last delivery
            round INTEGER NOT NULL DEFAULT 0,      -- the last round of random jokes that served the group
            shuffle INTEGER NOT NULL,              -- the order within a round
            emptied_at INTEGER                     -- time at which the last joke was removed; NULL if there are jokes
        ) STRICT;
        -- The index has only six bytes of each fingerprint, because each batch rewrites much of the index.
        CREATE INDEX groups_by_fingerprint ON groups (substr(fingerprint, 1, 6));
        CREATE INDEX groups_emptied ON groups (emptied_at) WHERE emptied_at IS NOT NULL;
        -- The order of lists, with the columns that select jokes: lists and counts read no group that they exclude.
        CREATE INDEX groups_shown ON groups (shown, source, language, length, round) WHERE shown IS NOT NULL;
        CREATE INDEX groups_not_shown ON groups (key) WHERE shown IS NULL AND emptied_at IS NULL;
        -- The random jokes of a source in their order, with the columns that select them (docs/decisions/0014).
        CREATE INDEX groups_in_random_order ON groups (source, round, shuffle, shown, length, language)
            WHERE source IS NOT NULL;

        CREATE TABLE jokes (
            key INTEGER PRIMARY KEY,               -- lists descend by key; see Pass
            id TEXT NOT NULL UNIQUE,
            source INTEGER NOT NULL REFERENCES sources,
            joke_group INTEGER NOT NULL REFERENCES groups,
            admitted INTEGER NOT NULL,             -- passes the filters
            length INTEGER NOT NULL,               -- Unicode code points, and 1 between two parts
            content_hash INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,            -- see also sources.full_sync_at
            missing_since INTEGER,
            full_sync INTEGER NOT NULL,            -- value of sources.full_sync when a batch last wrote this row
            \(contentDefinitions),
            stated_language TEXT NOT NULL,
            stated_safety TEXT NOT NULL
        ) STRICT;
        CREATE INDEX jokes_by_source ON jokes (source);
        CREATE INDEX jokes_by_group ON jokes (joke_group);
        CREATE INDEX jokes_filtered_out ON jokes (source, safety) WHERE admitted = 0;

        -- A copy of the favorites in the journal. No reference to jokes: a favorite survives the removal of its joke.
        CREATE TABLE favorites (
            key INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL UNIQUE,
            id TEXT NOT NULL UNIQUE,
            favorited_at INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            \(contentDefinitions),
            stated_language TEXT NOT NULL,
            stated_safety TEXT NOT NULL,
            note TEXT,
            admitted INTEGER NOT NULL DEFAULT 1    -- passes the filters
        ) STRICT;
        CREATE INDEX favorites_by_time ON favorites (favorited_at);
        CREATE INDEX favorites_filtered_out ON favorites (key) WHERE admitted = 0;

        -- A copy of the hidden marks in the journal.
        CREATE TABLE hidden (
            fingerprint BLOB PRIMARY KEY,
            hidden_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE VIEW shown_jokes AS
            SELECT j.key, j.setup, j.punchline FROM groups g JOIN jokes j ON j.key = g.shown;

        -- The categories of shown jokes. No reference to jokes: a foreign key without an index would scan this table
        -- for each removed joke.
        CREATE TABLE shown_categories (
            name TEXT NOT NULL COLLATE NOCASE,
            joke INTEGER NOT NULL,
            PRIMARY KEY (name, joke)
        ) STRICT, WITHOUT ROWID;
        """

    /// Makes the index of words. A change of `SearchWords` needs a new version with this script.
    private static let wordIndex = """

        DROP TABLE IF EXISTS shown_words;
        -- The words of shown jokes only, so search results need no filter. Without the index of one-letter prefixes, a
        -- search for such a prefix would read a tenth of all words.
        CREATE VIRTUAL TABLE shown_words USING fts5 (
            setup, punchline, content = 'shown_jokes', content_rowid = 'key', tokenize = 'search_words', prefix = '1'
        );
        -- Each batch writes one segment. `automerge` is off, because its partial merges leave words of jokes that are
        -- no longer shown (docs/decisions/0013).
        INSERT INTO shown_words (shown_words, rank)
            VALUES ('hashsize', 4194304), ('automerge', 0), ('crisismerge', 64), ('rebuild', NULL);
        """
}

/// A row of the table `settings`.
enum Setting: String {
    /// The signature of the rules that decided which jokes are shown.
    case rules
    /// The time at which old jokes were last removed.
    case lastAgingAt = "aged_at"
    /// The recoveries that no user has seen yet.
    case recoveries
    /// The date and the fingerprint of the joke of the day.
    case jokeOfTheDay = "today"
    /// The ID of the joke that was served last.
    case lastServed = "served"
    /// The position in the journal of the last change that the database has.
    case journalPosition = "journal"
}

extension String {
    /// Returns the list of columns with the name of a table before each column.
    func prefixed(_ table: String) -> String {
        split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
    }
}

extension Connection {
    /// Returns the value of a setting; nil if it is not stored.
    func setting(_ setting: Setting) throws -> String? {
        try prepare("SELECT value FROM settings WHERE name = ?").first(setting.rawValue) { row in try row.read(0) }
    }

    /// Stores the value of a setting, within a transaction.
    func set(_ setting: Setting, to value: String) throws {
        try prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)").run(setting.rawValue, value)
    }

    /// The recoveries that no user has seen yet, the oldest first.
    var recoveries: [Recovery] { get throws { [Recovery](stored: try setting(.recoveries)) ?? [] } }

    /// Stores the last 16 recoveries, within a transaction.
    func set(_ recoveries: [Recovery]) throws { try set(.recoveries, to: Array(recoveries.suffix(16)).stored()) }
}
