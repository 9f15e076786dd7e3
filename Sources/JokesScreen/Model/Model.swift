import Diffable
package import JokesCore
package import JokesProtocol
package import Terminal
package import TextLayout

/// What the viewer knows, all of it: `view` makes the screen of it, `update` changes it, nothing else is kept anywhere.
package struct Model: Equatable, Sendable {
    package var size: Size
    /// Set by the runner before each message.
    package var clock: LocalClock
    package var link = LinkState.connecting
    /// The daemon's picture; nil before it came for the first time. It stays while the daemon is away. A value: the data
    /// source that it was taken from is JokesClient's.
    package internal(set) var told: JokeSnapshot?
    /// What is shown of it: `told` without the jokes that are being hidden here.
    package internal(set) var snapshot: JokeSnapshot?
    /// The header of section `jokes` as it was when the daemon's picture last had one: under a search it has none.
    package internal(set) var lastHeader: JokesHeader?
    /// The row that keys act on; nil where there is none.
    package internal(set) var cursor: RowID?
    /// Where the list begins on the screen; nil where there are no rows.
    package internal(set) var top: Anchor?
    package internal(set) var folded: Set<Section.ID> = []
    package internal(set) var revealed: Set<Item.ID> = []
    /// The marks that the daemon's snapshot does not show yet.
    package internal(set) var marks: [Mark: PendingMark] = [:]
    /// The ways back from what was marked here, the last one at the end.
    package internal(set) var undos: [Undo] = []
    /// The number of the last of all that were made.
    var lastUndo = 0
    /// What is searched for; nil where nothing is.
    package internal(set) var search: Search?
    /// So many jokes are asked for where nothing is searched for; nil for as many as the daemon chooses.
    package internal(set) var jokesSize: Int?
    /// The view that the daemon was asked for last.
    package internal(set) var watched = Wire.View()
    /// Whether no picture of it has come yet.
    package internal(set) var isAwaited = false
    /// Where the cursor is to go once it is there.
    package internal(set) var wish: Wish?
    /// What there is to say about the last key; the next one takes it away.
    package internal(set) var notice: Notice?
    /// What is shown in place of the list; nil where the list is.
    package internal(set) var page: Page?
    /// Whether the details are to be shown; nil where nobody has said.
    package internal(set) var wantsDetails: Bool?
    /// Whether a row that is not revealed may have several lines.
    package internal(set) var wrapsRows: Bool
    package internal(set) var report = SourcesReport()
    /// How far the light over loading rows has come; nil while none of them is on the screen.
    package internal(set) var shimmer: Int?
    /// Rows that have just come.
    package internal(set) var arrivals: Set<Item.ID> = []
    /// The first line of the details that is on the screen.
    package internal(set) var detailTop = 0
    /// The last click, unless it was the second of two.
    var lastClick: Click?
    let layouts = RowLayouts()
    package let keys: KeyTable

    package init(size: Size, clock: LocalClock, keys: KeyTable = .standard, wrapsRows: Bool = true) {
        self.size = size
        self.clock = clock
        self.wrapsRows = wrapsRows
        self.keys = keys
    }
}

/// How it stands with the daemon.
package enum LinkState: Hashable, Sendable {
    case connecting
    case live
    /// Not there, for the reason given, about which there may be something to do; tried again at the moment given.
    case away(reason: String, hint: String? = nil, retryAt: Timestamp)
}

/// The first line of the screen's list.
package struct Anchor: Hashable, Sendable {
    package var row: RowID
    /// How many of the row's lines are above the screen.
    package var line: Int

    package init(row: RowID, line: Int) {
        self.row = row
        self.line = line
    }
}

/// A row that the daemon was asked to show.
package enum Wish: Hashable, Sendable {
    /// At the line of the screen where it was, or as near as can be.
    case row(RowID, line: Int?)
    /// The best of what a search finds, under its header at the top of the screen.
    case firstFound
}

package struct Notice: Hashable, Sendable {
    /// What there is to do stands in a line of its own: it is shown where there is not room for all.
    package var text: String
    package var role = ColorRole.plain
    /// What makes it untrue, or less than what there is to say now.
    package var end = End.key

    package enum End: Hashable, Sendable {
        case key
        /// Or news of the sources: they have been asked, or fail.
        case news
        /// Or the picture that is awaited.
        case picture
    }
}

extension Model {
    var rows: Rows {
        Rows(snapshot: snapshot ?? JokeSnapshot(), folded: folded)
    }

    /// The item under the cursor; nil on a header.
    var itemAtCursor: Item? {
        guard case .item(let id) = cursor else { return nil }
        return snapshot?.item(for: id)
    }

    /// The joke under the cursor; nil on a header and on a row that is being loaded.
    var jokeAtCursor: JokeID? {
        guard case .item(let item) = cursor else { return nil }
        return item.joke
    }

    /// Whether a joke shows a star: as the daemon says, or as it was set here a moment ago.
    func isStarred(_ joke: JokeID) -> Bool {
        marks[.star(joke)]?.isSet ?? isStarredByDaemon(joke)
    }

    func isStarredByDaemon(_ joke: JokeID) -> Bool {
        guard let told else { return false }
        if told.contains(.favorite(joke)) { return true }
        switch told.item(for: .joke(joke)) {
        case .joke(let joke): return joke.isStarred
        case .found(let found): return found.joke.isStarred
        default: return false
        }
    }

    /// The header of section `jokes`, where the picture has one.
    var jokesHeader: JokesHeader? {
        guard case .jokes(let header) = snapshot?.section(for: .jokes) else { return nil }
        return header
    }
}

extension Item {
    /// What the joke of the row says; nil for one that is being loaded.
    var content: JokeContent? {
        switch self {
        case .joke(let joke): joke.content
        case .found(let found): found.joke.content
        case .favorite(let favorite): favorite.content
        case .loading, .unknown: nil
        }
    }
}

extension Item.ID {
    /// The joke that the row shows; nil for one that is being loaded.
    var joke: JokeID? {
        switch self {
        case .loading, .unknown: nil
        case .joke(let id), .favorite(let id): id
        }
    }
}
