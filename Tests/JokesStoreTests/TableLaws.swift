import SQLite
import TestSupport

private let draws = """
    SELECT lower(p.category) AS category, p.source, p.language, d.serve_count, d.length, d.shuffle, d.joke_group
    FROM random_order d LEFT JOIN random_buckets p ON p.key = d.bucket
    """

/// What follows from the other tables.
private let wantedDraws = """
    SELECT c.name, g.source, lower(j.language), g.serve_count, g.length, g.shuffle, g.key
    FROM groups g JOIN jokes j ON j.key = g.shown
    JOIN (SELECT lower(name) AS name, joke FROM joke_categories UNION ALL SELECT '', key FROM jokes) c ON c.joke = j.key
    """

private let wantedPools = "SELECT category, source, language, count(*) FROM (\(draws)) GROUP BY 1, 2, 3"

/// What holds of the tables after every step, whatever it was.
func checkTables(_ inspector: Connection) throws {
    try hold(try inspector.prepare("PRAGMA foreign_key_check").map { _ in true }.isEmpty, "references hold")
    for fault in [
        "SELECT 1 FROM groups WHERE (shown IS NULL) <> (source IS NULL)",
        "SELECT 1 FROM groups WHERE emptied_at IS NULL AND key NOT IN (SELECT joke_group FROM jokes)",
        "SELECT 1 FROM groups WHERE emptied_at IS NOT NULL AND key IN (SELECT joke_group FROM jokes)",
        "SELECT 1 FROM joke_categories WHERE joke NOT IN (SELECT key FROM jokes)",
        "SELECT 1 FROM groups WHERE shown IS NOT NULL AND shown NOT IN (SELECT key FROM jokes WHERE joke_group = groups.key)",
        "SELECT 1 FROM jokes WHERE safety = 'safe' AND flags <> 0",
        """
        SELECT 1 FROM favorites f JOIN jokes j ON j.id = f.id JOIN groups g ON g.key = j.joke_group
        WHERE g.fingerprint <> f.fingerprint
        """,
        "SELECT 1 FROM sources WHERE jokes <> (SELECT count(*) FROM jokes WHERE source = sources.key)",
        "SELECT 1 FROM sources WHERE shown <> (SELECT count(*) FROM groups WHERE source = sources.key)",
        "\(draws) EXCEPT \(wantedDraws)", "\(wantedDraws) EXCEPT \(draws)",
        "SELECT lower(category), source, language, jokes FROM random_buckets EXCEPT \(wantedPools)",
        "\(wantedPools) EXCEPT SELECT lower(category), source, language, jokes FROM random_buckets",
    ] {
        try hold(try inspector.prepare(fault).map { _ in true }.isEmpty, fault)
    }
}
