extension Schema {
    /// Segments of the full-text index are merged whole or not at all, and the index is made anew: merges in part may have
    /// left words in it of jokes that are no longer shown (docs/decisions/0013).
    static let version7 = """
        INSERT INTO shown_words (shown_words, rank) VALUES ('automerge', 0);
        INSERT INTO shown_words (shown_words) VALUES ('rebuild');
        """
}
