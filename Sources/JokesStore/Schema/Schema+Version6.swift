extension Schema {
    /// References between the tables of jokes, declared and checked, but for large batches; notes of favorites; what was
    /// told of jokes that the cache has let go of.
    static let version6 = """
        DROP VIEW shown_jokes;

        -- Tellings of one joke: equal fingerprints. One of them is shown, with the star and the count of the group.
        CREATE TABLE new_groups (
            key INTEGER PRIMARY KEY,
            fingerprint BLOB NOT NULL,
            shown INTEGER UNIQUE REFERENCES new_jokes DEFERRABLE INITIALLY DEFERRED,
            source INTEGER REFERENCES sources,     -- of the joke that is shown
            length INTEGER,                        -- of the joke that is shown
            told INTEGER NOT NULL DEFAULT 0,       -- how often
            told_at INTEGER,
            shuffle INTEGER NOT NULL,              -- the place among those told as often: 32 random bits
            emptied_at INTEGER                     -- when the cache let go of its last joke; NULL where it has some
        ) STRICT;

        CREATE TABLE new_jokes (
            key INTEGER PRIMARY KEY,               -- ascends as jokes come: the order of the list
            id TEXT NOT NULL UNIQUE,
            source INTEGER NOT NULL REFERENCES sources,
            joke_group INTEGER NOT NULL REFERENCES new_groups,
            admitted INTEGER NOT NULL,             -- passes the filters
            length INTEGER NOT NULL,               -- characters in all parts
            content_hash INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,            -- but see sources.swept_at
            missing_since INTEGER,
            sweep INTEGER NOT NULL,                -- the last of several batches that saw it
            \(content)
        ) STRICT;
        INSERT INTO new_groups
            SELECT key, fingerprint, NULL, source, length, told, told_at, shuffle, NULL FROM groups;
        INSERT INTO new_jokes
            SELECT key, id, source, joke_group, admitted, length, content_hash, first_seen, last_seen, missing_since,
                sweep, \(contentColumns)
            FROM jokes;
        UPDATE new_groups SET shown = (SELECT shown FROM groups WHERE groups.key = new_groups.key);

        DROP TABLE jokes;
        DROP TABLE groups;
        ALTER TABLE new_groups RENAME TO groups;
        ALTER TABLE new_jokes RENAME TO jokes;
        -- Few bytes tell fingerprints apart; what an index has more of them is written again with each batch.
        CREATE INDEX groups_by_fingerprint ON groups (substr(fingerprint, 1, 6));
        CREATE INDEX groups_by_telling ON groups (source, told, shuffle, length) WHERE shown IS NOT NULL;
        CREATE INDEX groups_emptied ON groups (emptied_at) WHERE emptied_at IS NOT NULL;
        CREATE INDEX jokes_by_source ON jokes (source);
        CREATE INDEX jokes_by_group ON jokes (joke_group);
        CREATE VIEW shown_jokes AS
            SELECT j.key, j.setup, j.punchline FROM groups g JOIN jokes j ON j.key = g.shown;

        ALTER TABLE sources ADD COLUMN told_at INTEGER;          -- when jokes of it came last
        ALTER TABLE sources ADD COLUMN answering_since INTEGER;  -- since when they have come without a long pause
        ALTER TABLE favorites ADD COLUMN note TEXT;
        -- They are counted with every change; without it all their texts would be read.
        CREATE INDEX favorites_by_admission ON favorites (admitted);
        """
}
