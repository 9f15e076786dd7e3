/// What a selection draws from, as it is in one state of the database.
struct DrawPools {
    /// The jokes of a source, in one language, of the selection's category or all.
    struct Pool {
        let key: Int64
        let source: Int64
        /// How many there are.
        let jokes: Int
    }

    let selection: JokeSelection
    /// SQLite's `data_version`: all of this is good while nobody has written.
    let version: Int?
    /// Those of each source.
    let sources: [[Pool]]
    /// What was told last, when it is drawn.
    var putOff = RecentTellings.PutOff(groups: [])
    /// The last of all groups.
    let lastGroup: Int64

    /// What a selection says of pools; for a statement that is given its source, category and language, in this order.
    static let condition = """
        category = ifnull(?2, '\(Schema.anyCategory)') AND ifnull(?2, 'any') <> '\(Schema.anyCategory)'
        AND (?1 IS NULL OR source = (SELECT key FROM sources WHERE name = ?1))
        AND (?3 IS NULL OR substr(language || '-', 1, length(?3) + 1) = lower(?3) || '-')
        """

    init(_ pools: [Pool], of selection: JokeSelection, version: Int?, lastGroup: Int64) {
        self.selection = selection
        self.version = version
        self.lastGroup = lastGroup
        sources = Dictionary(grouping: pools, by: \.source).sorted { $0.key < $1.key }.map(\.value)
    }
}
