extension Schema {
    /// What a source states, beside what counts: a changed default of the source also applies to cached jokes. Jokes that
    /// a full cache has evicted are counted, and those that no one sees are evicted first.
    static let version9 = """
        ALTER TABLE jokes ADD COLUMN stated_language TEXT NOT NULL DEFAULT 'und';
        ALTER TABLE jokes ADD COLUMN stated_safety TEXT NOT NULL DEFAULT 'unknown';
        UPDATE jokes SET stated_language = language, stated_safety = safety;
        ALTER TABLE sources ADD COLUMN evicted INTEGER NOT NULL DEFAULT 0;  -- not fetched again since
        CREATE INDEX groups_not_shown ON groups (key) WHERE shown IS NULL AND emptied_at IS NULL;
        """
}
