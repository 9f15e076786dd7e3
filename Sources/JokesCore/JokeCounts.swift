/// Counts of cached jokes, also as `type JokeCounts` of the interface. `cached` is the sum of `shown`, `filteredOut`,
/// `hidden` and `duplicates`.
package struct JokeCounts: Codable, Hashable, Sendable {
    package var cached, shown: Int
    /// The jokes that the filters exclude; all jokes of a source that is no longer configured.
    package var filteredOut: Int
    /// The number of filtered out jokes that are unrated.
    package var unrated: Int
    /// The jokes that pass the filters and are hidden.
    package var hidden: Int
    package var duplicates, evicted: Int

    package init(
        cached: Int = 0, shown: Int = 0, filteredOut: Int = 0, unrated: Int = 0, hidden: Int = 0, duplicates: Int = 0,
        evicted: Int = 0
    ) {
        (self.cached, self.shown, self.filteredOut, self.unrated) = (cached, shown, filteredOut, unrated)
        (self.hidden, self.duplicates, self.evicted) = (hidden, duplicates, evicted)
    }

    package static func + (a: JokeCounts, b: JokeCounts) -> JokeCounts {
        JokeCounts(
            cached: a.cached &+ b.cached, shown: a.shown &+ b.shown, filteredOut: a.filteredOut &+ b.filteredOut,
            unrated: a.unrated &+ b.unrated, hidden: a.hidden &+ b.hidden, duplicates: a.duplicates &+ b.duplicates,
            evicted: a.evicted &+ b.evicted)
    }

    /// For example `84 shown of 212 cached: 120 filtered out, 8 duplicates; 10 evicted`. Each joke counts once before
    /// the semicolon.
    package var inWords: String {
        let others = [
            (filteredOut, "filtered out"), (hidden, "hidden"),
            (duplicates, duplicates == 1 ? "duplicate" : "duplicates"),
        ]
        .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        let total = "\(shown) shown of \(cached) cached"
        return total + (others.isEmpty ? "" : ": \(others)") + (evicted == 0 ? "" : "; \(evicted) evicted")
    }
}
