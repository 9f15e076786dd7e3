// What was released is never changed: databases that earlier versions of the program left are brought up to date by it.

extension Schema {
    /// The columns of `contentColumns`.
    static let content = """
        setup TEXT NOT NULL,
        punchline TEXT,              -- NULL where the joke is in one part
        language TEXT NOT NULL,
        categories TEXT NOT NULL,    -- one a line
        flags INTEGER NOT NULL,      -- bits of JokeFlags
        safety TEXT NOT NULL,
        url TEXT,
        author TEXT,
        upstream_date TEXT
        """

    static let version1 = """
        CREATE TABLE settings (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sources (
            key INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            place INTEGER NOT NULL,                -- in the configured order
            jokes INTEGER NOT NULL DEFAULT 0,      -- how many are stored
            shown INTEGER NOT NULL DEFAULT 0,      -- how many of them are shown
            swept_at INTEGER,                      -- when a sweep last saw all it has
            etag TEXT,
            last_modified TEXT,
            cursor TEXT,
            last_attempt INTEGER,
            last_success INTEGER,
            failing_since INTEGER,
            failure TEXT,
            failure_count INTEGER NOT NULL DEFAULT 0,
            next_attempt INTEGER,
            new_in_last_sync INTEGER NOT NULL DEFAULT 0,
            refused_in_last_sync INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- Tellings of one joke: equal fingerprints. One of them is shown, with the star and the count of the group.
        CREATE TABLE groups (
            key INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL UNIQUE,
            shown INTEGER UNIQUE REFERENCES jokes DEFERRABLE INITIALLY DEFERRED,
            source INTEGER REFERENCES sources,     -- of the joke that is shown
            length INTEGER,                        -- of the joke that is shown
            told INTEGER NOT NULL DEFAULT 0,       -- how often
            told_at INTEGER,
            shuffle INTEGER NOT NULL               -- the place among those told as often
        ) STRICT;
        CREATE INDEX groups_by_telling ON groups (source, told, shuffle, length) WHERE shown IS NOT NULL;

        CREATE TABLE jokes (
            key INTEGER PRIMARY KEY,               -- ascends as jokes come: the order of the list
            id TEXT NOT NULL UNIQUE,
            source INTEGER NOT NULL REFERENCES sources,
            joke_group INTEGER NOT NULL REFERENCES groups,
            admitted INTEGER NOT NULL,             -- passes the filters
            length INTEGER NOT NULL,               -- characters in all parts
            content_hash INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,            -- but see sources.swept_at
            missing_since INTEGER,
            \(content)
        ) STRICT;
        CREATE INDEX jokes_by_source ON jokes (source);
        CREATE INDEX jokes_by_group ON jokes (joke_group);

        -- No reference to jokes: without an index of its own it would search all of this for each joke removed.
        CREATE TABLE joke_categories (
            name TEXT NOT NULL COLLATE NOCASE,
            joke INTEGER NOT NULL,
            PRIMARY KEY (name, joke)
        ) STRICT, WITHOUT ROWID;

        -- No reference to jokes: a favorite outlives what it was made of.
        CREATE TABLE favorites (
            key INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were starred
            fingerprint BLOB NOT NULL UNIQUE,
            id TEXT NOT NULL UNIQUE,
            favorited_at INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            \(content)
        ) STRICT;

        CREATE TABLE hidden (
            fingerprint BLOB PRIMARY KEY,
            hidden_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Sweeps in several batches; until when a source is not to be asked.
    static let version2 = """
        ALTER TABLE sources ADD COLUMN sweep INTEGER NOT NULL DEFAULT 0;        -- the number of the last one begun
        ALTER TABLE sources ADD COLUMN is_sweeping INTEGER NOT NULL DEFAULT 0;  -- it is not complete yet
        ALTER TABLE sources ADD COLUMN unwelcome_until INTEGER;
        ALTER TABLE sources ADD COLUMN allowance_whole_at INTEGER;
        ALTER TABLE jokes ADD COLUMN sweep INTEGER NOT NULL DEFAULT 0;          -- the last of several batches that saw it
        """

    /// The full-text index; which favorites pass the filters; indexes that cost a batch of new jokes less.
    static let version3 = """
        -- No references between the tables that each new joke touches: they cost a quarter of its time, nothing of
        -- theirs is removed but by what keeps them together, and a test looks into the tables after every step.
        CREATE TABLE new_groups (
            key INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL,
            shown INTEGER UNIQUE,                  -- the joke
            source INTEGER,                        -- of the joke that is shown
            length INTEGER,                        -- of the joke that is shown
            told INTEGER NOT NULL DEFAULT 0,       -- how often
            told_at INTEGER,
            shuffle INTEGER NOT NULL               -- the place among those told as often: 32 random bits
        ) STRICT;
        INSERT INTO new_groups
            SELECT key, fingerprint, shown, source, length, told, told_at, shuffle & 4294967295 FROM groups;

        CREATE TABLE new_jokes (
            key INTEGER PRIMARY KEY,               -- ascends as jokes come: the order of the list
            id TEXT NOT NULL UNIQUE,
            source INTEGER NOT NULL,
            joke_group INTEGER NOT NULL,
            admitted INTEGER NOT NULL,             -- passes the filters
            length INTEGER NOT NULL,               -- characters in all parts
            content_hash INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,            -- but see sources.swept_at
            missing_since INTEGER,
            sweep INTEGER NOT NULL,                -- the last of several batches that saw it
            \(content)
        ) STRICT;
        INSERT INTO new_jokes
            SELECT key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen, missing_since,
                sweep, \(contentColumns)
            FROM jokes;

        UPDATE groups SET shown = NULL;
        DROP TABLE jokes;
        DROP TABLE groups;
        ALTER TABLE new_groups RENAME TO groups;
        ALTER TABLE new_jokes RENAME TO jokes;
        -- Few bytes tell fingerprints apart; what an index has more of them is written again with each batch.
        CREATE INDEX groups_by_fingerprint ON groups (substr(fingerprint, 1, 6));
        CREATE INDEX groups_by_telling ON groups (source, told, shuffle, length) WHERE shown IS NOT NULL;
        CREATE INDEX jokes_by_source ON jokes (source);
        CREATE INDEX jokes_by_group ON jokes (joke_group);

        ALTER TABLE favorites ADD COLUMN admitted INTEGER NOT NULL DEFAULT 1;  -- passes the filters

        -- The words of what is shown and of nothing else: what is found needs no second look.
        CREATE VIEW shown_jokes AS
            SELECT j.key, j.setup, j.punchline FROM groups g JOIN jokes j ON j.key = g.shown;
        CREATE VIRTUAL TABLE shown_words USING fts5 (
            setup, punchline, content = 'shown_jokes', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2'
        );
        -- Each batch adds a segment; so many of a size are merged as a search bears and a batch does not feel.
        INSERT INTO shown_words (shown_words, rank) VALUES ('automerge', 8), ('crisismerge', 64);
        INSERT INTO shown_words (rowid, setup, punchline) SELECT key, setup, punchline FROM shown_jokes ORDER BY key;
        """

    /// What was asked when a source's position was had.
    static let version4 = """
        ALTER TABLE sources ADD COLUMN question TEXT;
        """

    /// Words of a batch are gathered whole before they become a segment of the full-text index: a batch that is cut in
    /// several costs twice the time.
    static let version5 = """
        INSERT INTO shown_words (shown_words, rank) VALUES ('hashsize', 4194304), ('automerge', 16);
        """
}
