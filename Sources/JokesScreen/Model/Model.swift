import Diffable
import JokesCore
import Terminal
import TextLayout

/// The whole state of the viewer. `view` shows it, and `update` changes it.
struct Model: Equatable, Sendable {
    var size: Size
    /// The runner sets it before each message.
    var clock: LocalClock
    var link = LinkState.connecting
    /// The last snapshot of the daemon, with at most one loading row. It stays while the daemon is unreachable.
    var snapshot: JokeSnapshot?
    /// The last header of the section `jokes`: the snapshot of a search has none.
    var lastHeader: JokesHeader?
    /// The selected row; nil if there are no rows.
    var cursor: RowID?
    /// The first line of the list on the screen; nil if there are no rows.
    var top: Anchor?
    var folded: Set<Section.ID> = []
    var revealed: Set<Item.ID> = []
    var search: Search?
    /// The note in the prompt.
    var noteEdit: NoteEdit?
    /// The notes that were left, or that the daemon has not accepted yet.
    var drafts: [JokeID: String] = [:]
    /// The texts of earlier searches, the last one last.
    var searchHistory: [String] = []
    /// The selection of the jokes in the list and on the random page.
    var selection = JokeSelection()
    /// The last requested view.
    var watched = View()
    /// The last requested view without a search.
    var listView = View()
    /// The view of the snapshot; nil before the first one.
    var shownView: View?
    /// What keys wait for; nil if they are pressed at once.
    var waiting: Waiting?
    var pendingKeys = PendingKeys()
    /// The unseen joke that is being read. A timer marks it as seen.
    var reading: JokeID?
    /// The joke that was marked as unseen, until the cursor leaves it.
    var keptUnseen: JokeID?
    /// The change that the last undo has taken back.
    var undone: Request?
    /// True after the first of two keys that mark all jokes as seen.
    var confirmsAllSeen = false
    /// The row that gets the cursor if the next snapshot has it.
    var expectedRow: ExpectedRow?
    /// A message about the last key; the next key removes it.
    var notice: Notice?
    /// The pages over the list, the shown one last.
    var pages: [Page] = []
    var random = RandomJokes()
    /// Nil until the user shows or hides the details.
    var wantsDetails: Bool?
    /// True if a row that is not revealed may have several lines.
    var wrapsRows = true
    var report = SourcesReport()
    /// The sources of the last refresh, until its result is known.
    var refreshed: [String]?
    var filterCounts = FilterCounts()
    var hidden = HiddenJokes()
    var sourceTest: SourceTest?
    /// Why the selected favorite is not in the list of jokes; nil until its details are shown.
    var exclusion: Exclusion?
    /// The first shown line of the details.
    var detailTop = 0
    /// The last click; nil after a double click.
    var lastClick: Click?
    /// The minimum number of jokes in a window.
    var minWindow = 300
    let layouts = RowLayouts()
    var keys = KeyTable.standard
}

/// The state of the connection.
enum LinkState: Hashable, Sendable {
    case connecting
    case live
    /// The daemon is unreachable. The next attempt is at `retryAt`.
    case unreachable(reason: String, hint: String? = nil, retryAt: Timestamp)
}

/// The first shown line of the list.
struct Anchor: Hashable, Sendable {
    var row: RowID
    /// The number of lines of the row above the screen.
    var line: Int
}

/// A row that is expected in the next snapshot, at its former line of the screen if that is known.
struct ExpectedRow: Hashable, Sendable {
    let row: RowID
    var line: Int?
}

struct Notice: Hashable, Sendable {
    /// A hint is on the last line.
    var text: String
    var role = ColorRole.plain
}

extension Model {
    var rows: Rows { Rows(snapshot: snapshot ?? JokeSnapshot(), folded: folded, endsAtWindow: link == .live) }

    /// Nil on a header.
    var itemAtCursor: Item? {
        guard case .item(let id) = cursor else { return nil }
        return snapshot?.item(for: id)
    }

    /// The joke that keys such as `f` are for: that of the random page, or the one at the cursor.
    var shownItem: Item? {
        if let page { return page.kind.item(self) }
        return itemAtCursor
    }

    /// Nil on a header and on a loading row.
    var jokeAtCursor: JokeID? { itemAtCursor?.id.joke }

    func isFavorite(_ joke: JokeID) -> Bool {
        if page?.kind == .hidden, selectedHiddenJoke?.id == joke { return selectedHiddenJoke?.isFavorite == true }
        guard let snapshot else { return false }
        if snapshot.contains(.favorite(joke)) { return true }
        if let listed = snapshot.item(for: .joke(joke))?.joke { return listed.isFavorite }
        return random.jokes.contains { $0.id == joke && $0.isFavorite }
    }
}

extension Item.ID {
    /// Nil for a loading row.
    var joke: JokeID? {
        switch self {
        case .loading, .unknown: nil
        case .joke(let id), .favorite(let id): id
        }
    }
}
