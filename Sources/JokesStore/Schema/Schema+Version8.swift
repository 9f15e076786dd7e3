extension Schema {
    /// The category of the pools that all jokes are in, whatever their own: no joke has one of this name.
    static let anyCategory = ""

    /// The orders in which jokes are drawn, for each category, source and language (docs/decisions/0014).
    static let version8 = """
        DROP INDEX groups_by_telling;

        -- What has an order of its own, and how many jokes it has: never none. The empty category is that of all jokes.
        CREATE TABLE pools (
            key INTEGER PRIMARY KEY,
            category TEXT NOT NULL COLLATE NOCASE,
            source INTEGER NOT NULL,
            language TEXT NOT NULL,                -- in small letters
            jokes INTEGER NOT NULL,
            UNIQUE (category, source, language)
        ) STRICT;
        INSERT INTO pools (category, source, language, jokes)
            SELECT '', g.source, lower(j.language), count(*)
            FROM groups g JOIN jokes j ON j.key = g.shown GROUP BY 1, 2, 3;
        INSERT INTO pools (category, source, language, jokes)
            SELECT c.name, g.source, lower(j.language), count(*)
            FROM joke_categories c JOIN groups g ON g.shown = c.joke JOIN jokes j ON j.key = c.joke
            WHERE c.name <> '' GROUP BY 1, 2, 3;

        -- A group that shows a joke, in each pool that this is in. Those told least often come first, of these the short
        -- ones. No references: they cost each new joke as much as the row does.
        CREATE TABLE draws (
            pool INTEGER NOT NULL,
            told INTEGER NOT NULL,
            length INTEGER NOT NULL,
            shuffle INTEGER NOT NULL,
            joke_group INTEGER NOT NULL,
            PRIMARY KEY (pool, told, length, shuffle, joke_group)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO draws
            SELECT p.key, g.told, g.length, g.shuffle, g.key
            FROM (SELECT '' AS name, key AS joke FROM jokes UNION ALL SELECT name, joke FROM joke_categories WHERE name <> '') c
            JOIN groups g ON g.shown = c.joke JOIN jokes j ON j.key = c.joke
            JOIN pools p ON p.category = c.name AND p.source = g.source AND p.language = lower(j.language)
            ORDER BY 1, 2, 3, 4, 5;
        """
}
