import JokesCore
import SQLite

/// Keeps, within a transaction, the full-text index of the jokes that are shown.
///
/// Changes to what is in it already wait for `settle`: the index is written at once wherever keys do not ascend.
struct ShownWords {
    private let connection: Connection
    private let insertion: Statement
    /// With the words that the index has of them.
    private var removed: [(joke: Int64, text: JokeText)] = []
    /// Those that `settle` takes from the table, with the words that they have then.
    private var added: Set<Int64> = []

    init(_ connection: Connection) throws {
        self.connection = connection
        insertion = try connection.prepare("INSERT INTO shown_words (rowid, setup, punchline) VALUES (?, ?, ?)")
    }

    /// Adds a joke whose key is above all that there are.
    func append(_ joke: Int64, _ text: JokeText) throws {
        try insertion.run(joke, text.setup, text.punchline)
    }

    mutating func add(_ joke: Int64) {
        added.insert(joke)
    }

    /// Removes a joke; `text` is what it said when it was added, nil where that is what the table has.
    mutating func remove(_ joke: Int64, text: JokeText? = nil) throws {
        // Nothing of it is in the index, or that is among the removed already.
        if added.remove(joke) != nil { return }
        if let text = try text ?? connection.text(of: joke) { removed.append((joke, text)) }
    }

    /// How many changes wait.
    var pending: Int {
        removed.count + added.count
    }

    /// Writes the changes that wait.
    mutating func settle() throws {
        for (joke, text) in removed.sorted(by: { $0.joke < $1.joke }) {
            try connection.prepare(
                "INSERT INTO shown_words (shown_words, rowid, setup, punchline) VALUES ('delete', ?, ?, ?)"
            ).run(joke, text.setup, text.punchline)
        }
        for joke in added.sorted() {
            try connection.prepare(
                "INSERT INTO shown_words (rowid, setup, punchline) SELECT key, setup, punchline FROM jokes WHERE key = ?"
            ).run(joke)
        }
        removed = []
        added = []
    }
}

extension Connection {
    /// What a stored joke says; nil where there is none with the key.
    func text(of joke: Int64) throws -> JokeText? {
        try prepare("SELECT setup, punchline FROM jokes WHERE key = ?").first(joke) { row in
            JokeText(setup: try row.read(0), punchline: try row.read(1))
        }
    }
}

extension JokeText {
    init(setup: String, punchline: String?) {
        self = punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
    }
}
