import Diffable
package import JokesCore
import Terminal
import TextLayout

/// A mark of a joke that a key sets or removes.
package enum Mark: Hashable, Sendable {
    case star(JokeID)
    case hidden(JokeID)
}

/// A mark that a key has set or removed. The daemon's snapshot may not show it yet.
package struct PendingMark: Hashable, Sendable {
    package var isSet: Bool
    /// The calls without an answer, in the order in which the daemon answers them.
    package var calls: [Call]

    /// The reason for a call.
    package enum Call: Hashable, Sendable {
        /// A key; the undo step has this number.
        case byHand(Int)
        /// An undo. The step cannot be undone again, unless the daemon refuses the call.
        case undoing(Undo)
    }

    var isAnswered: Bool { calls.isEmpty }
}

/// A step that can be undone.
package struct Undo: Hashable, Sendable {
    /// Later steps have greater numbers.
    package let number: Int
    package let way: Request
    /// The notice after the undo.
    package let words: String

    /// The maximum number of steps.
    static let most = 100
}

// MARK: Undo

extension Model {
    mutating func undo() -> [Effect] {
        guard let last = undos.last else {
            notice = Notice(text: "Nothing to undo")
            return []
        }
        guard mayMark("Not undone: not connected") else { return [] }
        undos.removeLast()
        notice = Notice(text: last.words)
        switch last.way {
        case .star(let joke, let isStarred):
            return star(joke, isStarred: isStarred, by: last.way, .undoing(last))
        case .restore(_, let joke): return star(joke, isStarred: true, by: last.way, .undoing(last))
        case .hide(let joke, let isHidden): return hide(joke, isHidden: isHidden, .undoing(last))
        case .watch, .refresh, .sources, .reconnect: return [.ask(last.way)]
        }
    }

    /// Adds an undo step for a key; returns the call that the key makes.
    private mutating func remember(_ way: Request, _ words: String) -> PendingMark.Call {
        lastUndo += 1
        undos = undos.suffix(Undo.most - 1) + [Undo(number: lastUndo, way: way, words: words)]
        return .byHand(lastUndo)
    }

    /// After a refusal, removes the step of a key, or puts a step that was not undone back in its place.
    private mutating func forget(_ call: PendingMark.Call) {
        switch call {
        case .byHand(let number): undos.removeAll { $0.number == number }
        case .undoing(let undo):
            undos.insert(undo, at: undos.firstIndex { $0.number > undo.number } ?? undos.endIndex)
        }
    }
}

// MARK: Answers

extension Model {
    /// Handles the daemon's answer. A refused mark is dropped; an accepted one stays until a snapshot shows it.
    mutating func settle(_ mark: Mark, refusal: String?) {
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var pending = marks[mark], !pending.isAnswered else { return }
        let call = pending.calls.removeFirst()
        if refusal != nil { forget(call) }
        let isRefused = pending.isAnswered && refusal != nil
        let isShown = pending.isAnswered && pending.isSet == isSetByDaemon(mark)
        marks[mark] = isRefused || isShown ? nil : pending
        guard case .hidden(let joke) = mark else { return }
        if isRefused { forgetWish(for: joke) }
        showTold()
    }

    /// Drops the answered marks that a new snapshot shows. Others stay until a timer ends: answers and snapshots use two
    /// connections, and this snapshot may be older than the answer.
    mutating func settleMarks() {
        marks = marks.filter { !$1.isAnswered || $1.isSet != isSetByDaemon($0) }
    }

    /// Drops all answered marks: another client may have changed them, and the snapshot counts.
    mutating func settleAnswered() {
        for case .hidden(let joke) in marks.filter(\.value.isAnswered).keys { forgetWish(for: joke) }
        marks = marks.filter { !$1.isAnswered }
        showTold()
    }

    private func isSetByDaemon(_ mark: Mark) -> Bool {
        switch mark {
        case .star(let joke): isStarredByDaemon(joke)
        case .hidden(let joke): told?.contains(.joke(joke)) != true
        }
    }

    /// True if a mark is answered, and no snapshot has shown it yet.
    var awaitsPicture: Bool {
        marks.values.contains(where: \.isAnswered)
    }

    /// True if the daemon is connected; otherwise the words become the notice.
    private mutating func mayMark(_ words: String) -> Bool {
        if link == .live { return true }
        notice = Notice(text: words, role: .warning)
        return false
    }

    private mutating func mark(_ mark: Mark, isSet: Bool, _ call: PendingMark.Call) {
        marks[mark] = PendingMark(isSet: isSet, calls: (marks[mark]?.calls ?? []) + [call])
    }
}

// MARK: Favorites

extension Model {
    mutating func toggleStar() -> [Effect] {
        guard let item = itemAtCursor, let joke = item.id.joke, mayMark("Favorite unchanged: not connected") else {
            return []
        }
        let words = item.content.map { ": " + $0.text.setup } ?? ""
        let starring = favorite(of: item, joke).map { .restore($0, of: joke) } ?? Request.star(joke, isStarred: true)
        let unstarring = Request.star(joke, isStarred: false)
        if isStarred(joke) {
            return star(joke, isStarred: false, by: unstarring, remember(starring, "Favorite restored\(words)"))
        } else {
            return star(joke, isStarred: true, by: starring, remember(unstarring, "Favorite removed\(words)"))
        }
    }

    private mutating func star(
        _ joke: JokeID, isStarred: Bool, by request: Request, _ call: PendingMark.Call
    ) -> [Effect] {
        mark(.star(joke), isSet: isStarred, call)
        return [.ask(request)]
    }

    /// The favorite of a joke or of its duplicate; nil if the snapshot has none. O(favorites) for a duplicate.
    private func favorite(of item: Item, _ joke: JokeID) -> Favorite? {
        if let favorite = favorite(of: joke) { return favorite }
        guard isStarredByDaemon(joke), let snapshot, snapshot.containsSection(.favoriteJokes),
            let content = item.content
        else { return nil }
        let fingerprint = Fingerprint(of: content.text)
        return snapshot.items(inSection: .favoriteJokes).lazy
            .compactMap { if case .favorite(let favorite) = $0 { favorite } else { nil } }
            .first { favorite in
                let content = favorite.content
                return Fingerprint(of: content.text) == fingerprint
            }
    }
}

// MARK: Hidden jokes

extension Model {
    mutating func hide() -> [Effect] {
        guard let item = itemAtCursor, let joke = item.id.joke, mayMark("Not hidden: not connected")
        else { return [] }
        let words = item.content.map { ": " + $0.text.setup } ?? ""
        let call = remember(.hide(joke, isHidden: false), "Shown again\(words)")
        let stays = snapshot?.contains(.favorite(joke)) == true ? ", but still a favorite" : ""
        notice = Notice(text: "Hidden\(stays); \(keys.name(of: .undo)) undoes")
        return hide(joke, isHidden: true, call)
    }

    private mutating func hide(_ joke: JokeID, isHidden: Bool, _ call: PendingMark.Call) -> [Effect] {
        mark(.hidden(joke), isSet: isHidden, call)
        showTold()
        if !isHidden { wish = .row(.item(.joke(joke)), line: nil) }
        grantWish()
        return [.ask(.hide(joke, isHidden: isHidden))]
    }

    /// Keeps the cursor in its place when the joke appears.
    private mutating func forgetWish(for joke: JokeID) {
        if case .row(.item(.joke(joke)), _) = wish { wish = nil }
    }

    /// The daemon's snapshot without the jokes that are being hidden here, and with their counts reduced.
    var toldWithoutHidden: JokeSnapshot? {
        guard var shown = told else { return nil }
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
            header.cached = max(0, header.cached - 1)
            return .jokes(header)
        case .searchResults(let query, let count, let isExact):
            return .searchResults(query: query, count: max(0, count - 1), isExact: isExact)
        case .favoriteJokes, .unknown: return self
        }
    }
}
