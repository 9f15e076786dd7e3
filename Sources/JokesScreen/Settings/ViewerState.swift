import Diffable
import JSON
import JokesCore
import Unix

/// What the viewer remembers from one run to the next, in `viewer.json` in the state folder of the user.
struct ViewerState: Codable, Hashable, Sendable {
    var folded: [String] = []
    var wrapsRows: Bool?
    var selection = JokeSelection()
    /// The joke at the cursor.
    var joke: String?

    private static var file: String? { personalStateFolder("jokesd").map { "\($0)/viewer.json" } }

    /// Reads the file; the default state without a readable one.
    static func load() -> ViewerState {
        guard let file, let bytes = try? contentsOfFile(file, limit: 1 << 20) else { return ViewerState() }
        return (try? JSONDocument(bytes).root.decode(ViewerState.self)) ?? ViewerState()
    }

    /// Writes the file, for its user alone. Without a folder that can be written, nothing is remembered.
    func save() {
        guard let file = Self.file, let bytes = try? JSONEncoding.encode(self) else { return }
        try? makeFolder(parentFolder(of: file), mode: 0o700)
        try? replaceFile(file, with: bytes, mode: 0o600)
    }
}

extension Model {
    var state: ViewerState {
        var state = ViewerState()
        (state.folded, state.wrapsRows) = (folded.map(\.rawValue).sorted(), wrapsRows)
        (state.selection, state.joke) = (selection, jokeAtCursor?.rawValue)
        return state
    }

    /// Applies the state of an earlier run, before the first snapshot. `wrap` is the setting of tui.json.
    mutating func restore(_ state: ViewerState, wrap: Bool? = nil) -> [Effect] {
        wrapsRows = wrap ?? state.wrapsRows ?? true
        folded = Set(state.folded.map { Section.ID(rawValue: $0) })
        selection = state.selection
        // The next snapshot has the joke, or the cursor starts as in the first run.
        expectedRow = state.joke.map { ExpectedRow(row: .item(.joke(JokeID(rawValue: $0)))) }
        return watch()
    }
}
