import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

@testable import JokesScreen

/// A viewer without a terminal or daemon. Its input is keys and messages, and its output screens and effects.
struct Play {
    var model: Model
    private(set) var effects: [Effect] = []
    /// True while the second runs in which a joke is read.
    private(set) var isReading = false

    init(columns: Int = 80, rows: Int = 24, keys: KeyTable = .standard, minWindow: Int = 300) {
        model = Model(
            size: Size(columns: columns, rows: rows), clock: LocalClock(now: noon, offset: 3600),
            minWindow: minWindow, keys: keys)
    }

    /// A viewer that has received a snapshot.
    init(columns: Int = 80, rows: Int = 24, showing snapshot: JokeSnapshot) {
        self.init(columns: columns, rows: rows)
        happen(.changed(snapshot))
    }

    mutating func happen(_ messages: Message...) {
        for message in messages {
            let new = update(&model, message)
            follow(new, after: message)
            effects += new
        }
    }

    /// Keeps the timer as the runner does.
    private mutating func follow(_ effects: [Effect], after message: Message) {
        isReading = isReading && message != .readingEnded && model.isReading || effects.contains(.startReading)
    }

    /// Presses the characters of the text as keys.
    mutating func type(_ text: String) {
        for character in text { happen(.key(.character(character))) }
    }

    mutating func press(_ keys: Key...) {
        for key in keys { happen(.key(key)) }
    }

    /// Types a query, and closes the prompt.
    mutating func search(_ query: String) {
        type("/" + query)
        press(.enter)
    }

    /// Opens the page of filters, with its counts.
    mutating func openFilters() {
        type("F")
        happen(.answered(.statistics, .statistics(someCounts)))
    }

    /// Opens the page of sources, with its answer.
    mutating func openSources() {
        type("s")
        happen(.answered(.sources, .sources(someSources)))
    }

    /// Answers the change that keys wait for. After an accepted one, the snapshot with the change comes.
    mutating func answer(_ answer: Answer = .done, _ snapshot: JokeSnapshot? = nil) {
        guard case .answer(let request) = model.waiting?.awaited else { return }
        happen(.answered(request, answer))
        if answer.refusal == nil { happen(.changed(snapshot ?? model.snapshot ?? JokeSnapshot())) }
    }

    /// Shows the details, unless they are shown.
    mutating func showDetails() {
        if model.layout.details == nil { type("p") }
    }

    var screen: String {
        view(model).plainText
    }

    /// The lines of the list, without the header, the rules, the details and the footer.
    var list: String {
        let (frame, layout) = (view(model), model.layout)
        return Frame(
            lines: frame.lines.dropFirst(layout.origin.row).prefix(layout.list.rows).map {
                $0.dropped(layout.origin.column).fitted(to: layout.list.columns)
            }
        )
        .plainText
    }

    /// The first cell of the list or of the page.
    private var origin: Position { model.page.map { model.origin(of: $0.kind) } ?? model.layout.origin }

    /// The position on the screen of a cell of the list or of the page.
    func position(_ column: Int, _ line: Int) -> Position {
        let origin = origin
        return Position(column: origin.column + column, row: origin.row + line)
    }

    /// The first line of the list or of the page that is selected; nil if there is none.
    var cursorLine: Int? {
        view(model).lines.firstIndex { $0.isSelected }.map { $0 - origin.row }
    }

    /// The first row of the list. The only section has no header while its items are shown.
    var firstRow: RowID? {
        guard let section = model.snapshot?.sectionIdentifiers.first else { return nil }
        let items = model.folded.contains(section) ? [] : model.snapshot?.itemIdentifiers ?? []
        return model.snapshot?.numberOfSections == 1
            ? items.first.map { .item($0) } ?? .header(section) : .header(section)
    }

    /// The effects since the last call, without that for the timer.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects.filter { $0 != .startReading }
    }
}

extension Line {
    /// True if the line belongs to the row under the cursor. Rules and details beside it are not selected.
    var isSelected: Bool {
        spans.contains { $0.style.attributes.contains(.selected) }
    }
}

extension Frame {
    /// The text of the lines without trailing spaces.
    var plainText: String {
        lines.map { line in
            let text = line.plainText
            let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
            return String(text[..<end])
        }.joined(separator: "\n")
    }
}

/// 2026-03-14 12:00 UTC, which is 13:00 in the time zone of the tests.
let noon = Timestamp(microseconds: 1_773_489_600_000_000)

// MARK: Snapshots

func joke(
    _ id: String, _ setup: String, _ punchline: String? = nil, isFavorite: Bool = false, isSeen: Bool = true,
    category: String = "Pun"
) -> Item {
    .joke(
        Joke(
            id: JokeID(rawValue: id), content: content(setup, punchline, category), isFavorite: isFavorite,
            isSeen: isSeen, firstSeen: noon))
}

func favorite(
    _ id: String, _ setup: String, _ punchline: String? = nil, category: String = "Pun", note: String? = nil
) -> Item {
    .favorite(
        Favorite(id: JokeID(rawValue: id), content: content(setup, punchline, category), favoritedAt: noon, note: note))
}

private func content(_ setup: String, _ punchline: String?, _ category: String) -> JokeContent {
    let text = punchline.map { JokeText.twoPart(setup: setup, punchline: $0) } ?? .single(setup)
    return JokeContent(text: text, language: "en", categories: [category], safety: .safe)
}

/// A snapshot of favorites, loading rows and jokes. The default header has the number of jokes.
func snapshot(
    favorites: [Item] = [], loading: Int = 0, jokes: [Item] = someJokes, header: JokesHeader? = nil
) throws -> JokeSnapshot {
    var snapshot = JokeSnapshot()
    if !favorites.isEmpty {
        let section = Section.favoriteJokes(count: favorites.count)
        snapshot.appendSections([section])
        try snapshot.appendItems(favorites, toSection: section.id)
    }
    let section = Section.jokes(header ?? JokesHeader(shown: jokes.count, lastSync: noon, isSyncing: loading > 0))
    snapshot.appendSections([section])
    try snapshot.appendItems((0..<loading).map { .loading($0) } + jokes, toSection: section.id)
    return snapshot
}

let someJokes: [Item] = [
    joke("official:1", "Why did the thread cross the road?", "To get to the other core.", category: "Programming"),
    joke("dad:b", "I had a joke about an empty queue, but nobody was waiting for it."),
    joke("dad:c", "What is a semaphore's favorite dance?", "The wait and signal.", isFavorite: true),
    joke(
        "official:4",
        "A manager, a tester and a programmer walk into a lift that says it holds three people, and the tester asks what "
            + "happens with minus one, with a cat, and with half of a person who is undecided about the floor.",
        "The programmer closes it as works for me.", category: "Programming"),
    joke("fortunes:~0011223344556677", "Roses are red,\nviolets are blue,\n  unexpected indent\n    on line two."),
    joke("official:6", "How does a cache say goodbye?", "It does not: it just stops answering.", category: "General"),
]

extension Request {
    static func note(_ joke: JokeID, _ note: String) -> Request { .favorite(joke, isFavorite: true, note: note) }
}

extension Answer {
    /// The answer to an undo of a change of one joke.
    static func undone(_ item: Item, _ change: (inout UndoMethod.Reply) -> Void) -> Answer {
        var reply = UndoMethod.Reply()
        reply.changedAt = noon
        if case .joke(let joke) = item { reply.id = joke.id.rawValue }
        change(&reply)
        return .undone(reply)
    }
}

extension Message {
    static func key(_ key: Key) -> Message { .input(.key(key)) }

    static func mouse(_ mouse: MouseEvent) -> Message { .input(.mouse(mouse)) }

    static func pasted(_ text: String) -> Message { .input(.pasted(text)) }
}

extension Model {
    /// True if nothing is due from the daemon.
    var isSettled: Bool { waiting == nil && shownView == watched }
}
