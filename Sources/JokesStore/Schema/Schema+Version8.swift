extension Schema {
    /// The category of the pool that all jokes are in, whatever their own: no joke has one of this name.
    static let anyCategory = ""

    /// The orders in which jokes are drawn, for each category, source and language (docs/decisions/0014).
    static let version8 = """
        DROP INDEX groups_by_telling;

        -- A group that shows a joke, once for all jokes (the category is empty) and once for each of the joke's categories.
        -- Those told least often come first, of these the short ones. No references: they cost each new joke as much as
        -- the row does.
        CREATE TABLE draws (
            category TEXT NOT NULL COLLATE NOCASE,
            source INTEGER NOT NULL,
            language TEXT NOT NULL,                -- in small letters
            told INTEGER NOT NULL,
            length INTEGER NOT NULL,
            shuffle INTEGER NOT NULL,
            joke_group INTEGER NOT NULL,
            PRIMARY KEY (category, source, language, told, length, shuffle, joke_group)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO draws
            SELECT '', g.source, lower(j.language), g.told, g.length, g.shuffle, g.key
            FROM groups g JOIN jokes j ON j.key = g.shown
            ORDER BY 2, 3, 4, 5, 6, 7;
        INSERT OR IGNORE INTO draws
            SELECT c.name, g.source, lower(j.language), g.told, g.length, g.shuffle, g.key
            FROM joke_categories c JOIN groups g ON g.shown = c.joke JOIN jokes j ON j.key = c.joke
            ORDER BY 1, 2, 3, 4, 5, 6, 7;

        -- How many rows of draws there are of each kind; none where there are none.
        CREATE TABLE pools (
            category TEXT NOT NULL COLLATE NOCASE,
            source INTEGER NOT NULL,
            language TEXT NOT NULL,
            jokes INTEGER NOT NULL,
            PRIMARY KEY (category, source, language)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO pools SELECT category, source, language, count(*) FROM draws GROUP BY category, source, language;
        """
}
