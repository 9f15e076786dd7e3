import Diffable
package import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// A mark of a joke that a key sets or removes.
package enum Mark: Hashable, Sendable {
    case star(JokeID)
    case hidden(JokeID)
}

package struct MarkChange: Hashable, Sendable {
    package let mark: Mark
    package let isSet: Bool
    /// The new note of the favorite, empty for none; nil keeps the note.
    package let note: String?

    package init(_ mark: Mark, isSet: Bool, note: String? = nil) {
        self.mark = mark
        self.isSet = isSet
        self.note = note
    }
}

/// A mark that a key has set or removed. The daemon's snapshot may not show it yet.
package struct PendingMark: Hashable, Sendable {
    package var isSet: Bool
    /// The number of requests without an answer.
    package var unanswered: Int

    package var isAnswered: Bool { unanswered == 0 }
}

// MARK: Keys

extension Model {
    mutating func toggleStar() -> [Effect] {
        guard let joke = shownItem?.id.joke, isConnected(else: "Favorite unchanged: not connected") else { return [] }
        let isSet = !isFavorite(joke)
        notice = Notice(text: "Favorite \(isSet ? "added" : "removed"); \(keys.name(of: .undo)) undoes")
        return make(MarkChange(.star(joke), isSet: isSet))
    }

    /// Returns true for a favorite that the filters exclude, with a notice: its note is not known.
    mutating func isExcludedFavorite(_ item: Item, _ joke: JokeID) -> Bool {
        guard marks[.star(joke)] == nil, isStarredByDaemon(joke), favorite(of: item, joke) == nil,
            shownSelection != JokeSelection() || selection != JokeSelection()
        else { return false }
        notice = Notice(text: "The filter excludes this favorite; \(keys.name(of: .clearFilters)) clears it")
        return true
    }

    mutating func hide() -> [Effect] {
        guard let item = shownItem, let joke = item.id.joke, isConnected(else: "Not hidden: not connected") else {
            return []
        }
        let stays = snapshot?.contains(.favorite(joke)) == true ? ", but still a favorite" : ""
        notice = Notice(text: "Hidden\(stays); \(keys.name(of: .undo)) undoes")
        return make(MarkChange(.hidden(joke), isSet: true))
    }

    /// Lets the daemon take back the last change, of this viewer or of any other client.
    mutating func undo() -> [Effect] {
        guard isConnected(else: "Not undone: not connected") else { return [] }
        return [.send(.undo)]
    }

    /// Repeats the change of a joke that the last undo has taken back.
    mutating func redo() -> [Effect] {
        guard isConnected(else: "Not redone: not connected") else { return [] }
        guard let change = undone else {
            notice = Notice(text: "Nothing to redo; \(keys.name(of: .redo)) repeats what the last undo took back")
            return []
        }
        notice = Notice(text: "Redone; \(keys.name(of: .undo)) undoes")
        return make(change)
    }

    /// Handles the answer to an undo. It comes after the answers to the marks before the undo.
    mutating func handleUndo(_ answer: UndoMethod.Reply) -> [Effect] {
        let joke = answer.id.map { JokeID(rawValue: $0) }
        let item = joke.flatMap { daemonSnapshot?.item(for: .joke($0)) ?? daemonSnapshot?.item(for: .favorite($0)) }
        let setup = (item?.content?.text.setup).map { ": " + oneLine($0) } ?? ""
        let none = "Nothing to undo; \(keys.name(of: .undo)) takes back favorites, notes, hidden jokes and imports"
        notice = Notice(text: answer.changedAt == nil ? none : "\(answer.words) taken back\(setup)")
        undone = joke.flatMap { joke in
            if answer.removedFavorites > 0 {
                return MarkChange(.star(joke), isSet: true, note: favorite(of: joke)?.note)
            }
            if answer.restoredFavorites > 0 { return MarkChange(.star(joke), isSet: false) }
            return answer.unhidden + answer.hidden > 0 ? MarkChange(.hidden(joke), isSet: answer.unhidden > 0) : nil
        }
        dropAnsweredMarks()
        if let joke {
            if answer.removedFavorites + answer.restoredFavorites > 0 {
                random.setFavorite(joke, answer.restoredFavorites > 0)
            }
            if answer.unhidden > 0 { expectedRow = .row(.item(.joke(joke)), line: nil) }
            selectExpectedRow()
        }
        return reloadHiddenJokes()
    }

    /// True if the daemon is connected; otherwise the words become the notice.
    mutating func isConnected(else words: String) -> Bool {
        if link == .live { return true }
        notice = Notice(text: words, role: .warning)
        return false
    }

    mutating func make(_ change: MarkChange) -> [Effect] {
        undone = nil
        marks[change.mark] = PendingMark(isSet: change.isSet, unanswered: (marks[change.mark]?.unanswered ?? 0) + 1)
        if case .hidden(let joke) = change.mark {
            showSnapshot()
            if !change.isSet { expectedRow = .row(.item(.joke(joke)), line: nil) }
            selectExpectedRow()
        }
        return [.send(.mark(change))]
    }

    /// The favorite of a joke or of its duplicate; nil if the snapshot has none. O(favorites) for a duplicate.
    func favorite(of item: Item, _ joke: JokeID) -> Favorite? {
        if let favorite = favorite(of: joke) { return favorite }
        guard isStarredByDaemon(joke), let snapshot, snapshot.containsSection(.favoriteJokes),
            let content = item.content
        else { return nil }
        let fingerprint = Fingerprint(of: content.text)
        return snapshot.items(inSection: .favoriteJokes).lazy
            .compactMap { if case .favorite(let favorite) = $0 { favorite } else { nil } }
            .first { Fingerprint(of: $0.content.text) == fingerprint }
    }
}

// MARK: Answers

extension Model {
    /// Handles the daemon's answer. A refused mark is dropped; an accepted one stays until a snapshot shows it.
    mutating func handleAnswer(to change: MarkChange, refusal: String?) -> [Effect] {
        let mark = change.mark
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var pending = marks[mark], !pending.isAnswered else { return [] }
        pending.unanswered -= 1
        marks[mark] = pending
        if refusal == nil, let note = change.note, case .star(let joke) = mark { confirmNote(note, of: joke) }
        guard pending.isAnswered else { return [] }
        let isShown = pending.isSet == isSetByDaemon(mark)
        if refusal != nil || isShown { marks[mark] = nil }
        showSnapshot()
        if refusal != nil { return [] }
        return (isShown ? [] : [.startTimer(.marks)]) + follow(mark, isSet: pending.isSet)
    }

    /// Updates the jokes that no snapshot updates: those of the random page and of the page of hidden jokes.
    private mutating func follow(_ mark: Mark, isSet: Bool) -> [Effect] {
        if case .star(let joke) = mark { random.setFavorite(joke, isSet) }
        return updateHiddenJokes(by: mark, isSet: isSet)
    }

    /// Drops the answered marks that a new snapshot shows. Others stay until a timer ends: answers and snapshots use two
    /// connections, and this snapshot may be older than the answer.
    mutating func dropShownMarks() {
        marks = marks.filter { !$1.isAnswered || $1.isSet != isSetByDaemon($0) }
    }

    /// Drops all answered marks: another client may have changed them, and the snapshot counts.
    mutating func dropAnsweredMarks() {
        marks = marks.filter { !$1.isAnswered }
        showSnapshot()
    }

    private func isSetByDaemon(_ mark: Mark) -> Bool {
        switch mark {
        case .star(let joke): isStarredByDaemon(joke)
        case .hidden(let joke): daemonSnapshot?.contains(.joke(joke)) != true
        }
    }

    /// The daemon's snapshot without the jokes that are being hidden here, and with their counts reduced.
    var snapshotWithoutHidden: JokeSnapshot? {
        guard var shown = daemonSnapshot else { return nil }
        // One row stands for all that are loading, as long as a daemon loads them.
        let loading = shown.itemIdentifiers(inSection: .jokes).prefix { if case .loading = $0 { true } else { false } }
        try? shown.deleteItems(Array(loading.dropFirst(link == .live ? 1 : 0)))
        for case (.hidden(let joke), let pending) in marks where pending.isSet {
            guard let section = shown.sectionIdentifier(containingItem: .joke(joke)),
                let header = shown.section(for: section)
            else { continue }
            // Both exist, so neither call throws.
            try? shown.deleteItems([.joke(joke)])
            try? shown.replaceSection(header.withOneLess)
        }
        return shown
    }
}

extension Section {
    /// The header after one of its jokes is hidden.
    fileprivate var withOneLess: Section {
        switch self {
        case .jokes(var header):
            header.shown = max(0, header.shown - 1)
            return .jokes(header)
        case .searchResults(let query, let count, let isExact, let start):
            return .searchResults(query: query, count: max(0, count - 1), isExact: isExact, start: start)
        case .favoriteJokes, .unknown: return self
        }
    }
}
