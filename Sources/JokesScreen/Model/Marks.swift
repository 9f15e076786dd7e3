import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

// Changes by keys: favorites, notes, hidden and seen jokes. The screen shows only what the daemon has stored, so the keys
// after a change wait for it.

// MARK: Keys

extension Model {
    /// Sends a change. Keys wait until its result is on the screen.
    mutating func change(_ request: Request) -> [Effect] {
        waiting = Waiting(awaited: .answer(request))
        return [.send(request)]
    }

    mutating func toggleFavorite() -> [Effect] {
        guard let joke = shownItem?.id.joke, isConnected(else: "Favorite unchanged: not connected") else { return [] }
        return change(.favorite(joke, isFavorite: !isFavorite(joke)))
    }

    mutating func hide() -> [Effect] {
        guard let joke = shownItem?.id.joke, isConnected(else: "Not hidden: not connected") else { return [] }
        return change(.hide(joke, isHidden: true))
    }

    /// Lets the daemon take back the last change, of this viewer or of any other client.
    mutating func undo() -> [Effect] { isConnected(else: "Not undone: not connected") ? change(.undo) : [] }

    /// Repeats the change of a joke that the last undo has taken back.
    mutating func redo() -> [Effect] {
        guard isConnected(else: "Not redone: not connected") else { return [] }
        if let undone { return change(undone) }
        notice = Notice(text: "Nothing to redo; \(keys.name(of: .redo)) repeats what the last undo took back")
        return []
    }

    /// True if the daemon is connected; otherwise the words become the notice.
    mutating func isConnected(else words: String) -> Bool {
        if link == .live { return true }
        notice = Notice(text: words, role: .warning)
        return false
    }

    /// The favorite of a joke or of its duplicate; nil if the snapshot has none. O(favorites) for a duplicate.
    func favorite(of item: Item, _ joke: JokeID) -> Favorite? {
        if let favorite = favorite(of: joke) { return favorite }
        guard isFavorite(joke), let snapshot, snapshot.containsSection(.favoriteJokes),
            let content = item.content
        else { return nil }
        let fingerprint = Fingerprint(of: content.text)
        return snapshot[.favoriteJokes].lazy.compactMap(\.favorite)
            .first { Fingerprint(of: $0.content.text) == fingerprint }
    }
}

// MARK: Answers

extension Model {
    /// Handles an accepted change of a favorite. The random page keeps its star itself: the list may not have the joke.
    mutating func acceptFavorite(_ joke: JokeID, isFavorite: Bool, note: String?) {
        random.setFavorite(joke, isFavorite)
        if note != nil { drafts[joke] = nil }
        let ofNote = note.map { $0.isEmpty ? "Note removed" : "Note saved" }
        confirm(ofNote ?? "Favorite \(isFavorite ? "added" : "removed")")
    }

    mutating func acceptHiding(_ joke: JokeID, isHidden: Bool) {
        if !isHidden { expectedRow = ExpectedRow(row: .item(.joke(joke))) }
        let isKept = snapshot?.contains(.favorite(joke)) == true
        confirm(!isHidden ? "Shown again" : isKept ? "Hidden, but still a favorite" : "Hidden")
    }

    private mutating func confirm(_ words: String) {
        undone = nil
        notice = Notice(text: "\(words); \(keys.name(of: .undo)) undoes")
    }

    mutating func acceptUndo(_ answer: UndoMethod.Reply) {
        let joke = answer.id.map { JokeID(rawValue: $0) }
        let item = joke.flatMap { snapshot?.item(for: .joke($0)) ?? snapshot?.item(for: .favorite($0)) }
        let setup = (item?.content?.text.setup).map { ": " + oneLine($0) } ?? ""
        let none = "Nothing to undo; \(keys.name(of: .undo)) takes back favorites, notes, hidden jokes and imports"
        notice = Notice(text: answer.changedAt == nil ? none : "\(answer.words) taken back\(setup)")
        undone = nil
        guard let joke else { return }
        if answer.removedFavorites + answer.restoredFavorites > 0 {
            let isFavorite = answer.restoredFavorites > 0
            random.setFavorite(joke, isFavorite)
            undone = .favorite(joke, isFavorite: !isFavorite, note: isFavorite ? nil : favorite(of: joke)?.note)
        } else if answer.unhidden + answer.hidden > 0 {
            undone = .hide(joke, isHidden: answer.unhidden > 0)
        }
        if answer.unhidden > 0 { expectedRow = ExpectedRow(row: .item(.joke(joke))) }
    }

    /// Ends the wait for an answer. After an accepted change, keys wait for a snapshot that has it.
    mutating func endWait(for request: Request, isRefused: Bool) -> [Effect] {
        guard let waiting, waiting.awaited == .answer(request) else { return [] }
        self.waiting = isRefused ? nil : Waiting(awaited: .change, steps: waiting.steps)
        // Snapshots before the answer were not shown.
        return [.send(.watch(watched))] + (isRefused ? take(waiting.steps) : [])
    }
}
