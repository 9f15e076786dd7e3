// Replaced by the first file of SQLite.
