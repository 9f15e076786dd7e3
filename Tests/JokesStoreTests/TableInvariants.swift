import SQLite
import TestSupport

/// Checks the invariants that the tables have after every change.
func checkTables(_ inspector: Connection) throws {
    try verify(try inspector.prepare("PRAGMA foreign_key_check").map { _ in true }.isEmpty, "a foreign key is dangling")
    for violation in [
        "SELECT 1 FROM groups WHERE (shown IS NULL) <> (source IS NULL)",
        "SELECT 1 FROM groups WHERE emptied_at IS NULL AND key NOT IN (SELECT joke_group FROM jokes)",
        "SELECT 1 FROM groups WHERE emptied_at IS NOT NULL AND key IN (SELECT joke_group FROM jokes)",
        "SELECT 1 FROM groups WHERE shown IS NOT NULL AND shown NOT IN (SELECT key FROM jokes WHERE joke_group = groups.key)",
        "SELECT 1 FROM jokes WHERE safety = 'safe' AND flags <> 0",
        """
        SELECT 1 FROM favorites f JOIN jokes j ON j.id = f.id JOIN groups g ON g.key = j.joke_group
        WHERE g.fingerprint <> f.fingerprint
        """,
        "SELECT 1 FROM sources WHERE jokes <> (SELECT count(*) FROM jokes WHERE source = sources.key)",
        "SELECT 1 FROM sources WHERE shown <> (SELECT count(*) FROM groups WHERE source = sources.key)",
        """
        SELECT 1 FROM groups g JOIN jokes j ON j.key = g.shown
        WHERE (g.source, g.length, g.language) IS NOT (j.source, j.length, lower(j.language))
        """,
        "SELECT 1 FROM shown_categories WHERE joke NOT IN (SELECT shown FROM groups WHERE shown IS NOT NULL)",
    ] {
        try verify(try inspector.prepare(violation).map { _ in true }.isEmpty, violation)
    }
}
