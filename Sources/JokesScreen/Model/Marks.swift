import Diffable
import JokesCore
import Terminal
import TextLayout

/// A mark set or taken here, a star or that a joke is hidden, before the daemon's picture shows that it is so.
package struct PendingMark: Hashable, Sendable {
    package var isSet: Bool
    /// Those on the way, in the order in which they are answered.
    package var calls: [Call]

    /// Why the daemon is asked for a mark.
    package enum Call: Hashable, Sendable {
        /// By a key; the way back has this number.
        case byHand(Int)
        /// To undo, which can be undone no more, unless it is refused.
        case undoing(Undo)
    }

    /// Whether nothing of it is on the way any more.
    var isAnswered: Bool { calls.isEmpty }

    /// The call that is answered now; nil where none is on the way.
    mutating func takeCall() -> Call? {
        calls.isEmpty ? nil : calls.removeFirst()
    }
}

/// The way back from what a key did.
package struct Undo: Hashable, Sendable {
    /// Its place among all: later ones have greater numbers.
    package let number: Int
    package let way: Request
    /// What to say when it was gone.
    package let words: String

    /// So many steps lead back at most.
    static let most = 100
}

extension Model {
    /// Undoes what was marked last.
    mutating func undo() -> [Effect] {
        guard let last = undos.last else {
            notice = Notice(text: "Nothing to undo", role: .plain)
            return []
        }
        guard mayMark("Not undone: not connected") else { return [] }
        undos.removeLast()
        notice = Notice(text: last.words, role: .plain)
        switch last.way {
        case .star(let joke, let isStarred):
            return star(joke, isStarred: isStarred, by: last.way, .undoing(last))
        case .restore(_, let joke): return star(joke, isStarred: true, by: last.way, .undoing(last))
        case .hide(let joke, let isHidden): return hide(joke, isHidden: isHidden, .undoing(last))
        case .watch, .refresh, .sources, .reconnect: return [.ask(last.way)]
        }
    }

    /// Keeps the way back from what a key is about to do; returns the call that does it.
    mutating func remember(_ way: Request, _ words: String) -> PendingMark.Call {
        lastUndo += 1
        undos = undos.suffix(Undo.most - 1) + [Undo(number: lastUndo, way: way, words: words)]
        return .byHand(lastUndo)
    }

    /// After a refusal there is nothing to undo; what was not undone still can be, in its turn.
    mutating func forget(_ call: PendingMark.Call) {
        switch call {
        case .byHand(let number): undos.removeAll { $0.number == number }
        case .undoing(let undo):
            undos.insert(undo, at: undos.firstIndex { $0.number > undo.number } ?? undos.endIndex)
        }
    }

    /// Whether the daemon is there to be asked for a mark; says that it is not where it is away.
    mutating func mayMark(_ words: String) -> Bool {
        if link == .live { return true }
        notice = Notice(text: words, role: .warning)
        return false
    }

    /// After a new picture, an answered mark that it shows is as the daemon says. One that it does not show stays for a
    /// moment: answers come another way than pictures, and this one may be from before.
    mutating func settleMarks() {
        stars = stars.filter { !$1.isAnswered || $1.isSet != isStarredByDaemon($0) }
        hides = hides.filter { !$1.isAnswered || $1.isSet != isHiddenByDaemon($0) }
    }

    /// The moment is over: others may have asked for something else since, and the picture counts.
    mutating func settleAnswered() {
        for joke in hides.keys where hides[joke]?.isAnswered == true { forgetWish(for: joke) }
        stars = stars.filter { !$1.isAnswered }
        hides = hides.filter { !$1.isAnswered }
        showTold()
    }

    /// Whether the picture has no row of it among the jokes; it may not have had one before.
    private func isHiddenByDaemon(_ joke: JokeID) -> Bool {
        told?.contains(.joke(joke)) != true
    }

    /// Whether a mark is answered, and no picture has shown it yet.
    var awaitsPicture: Bool {
        stars.values.contains(where: \.isAnswered) || hides.values.contains(where: \.isAnswered)
    }
}

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

    /// Shows the star as it is to be, and asks for it.
    mutating func star(
        _ joke: JokeID, isStarred: Bool, by request: Request, _ call: PendingMark.Call
    ) -> [Effect] {
        stars[joke] = PendingMark(isSet: isStarred, calls: (stars[joke]?.calls ?? []) + [call])
        return [.ask(request)]
    }

    /// Takes the daemon's answer. A refused star goes; one that was granted stays until the picture shows it.
    mutating func settleStar(_ joke: JokeID, refusal: String?) {
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var star = stars[joke], let call = star.takeCall() else { return }
        if refusal != nil { forget(call) }
        let isSettled = star.isAnswered && (refusal != nil || star.isSet == isStarredByDaemon(joke))
        stars[joke] = isSettled ? nil : star
    }

    /// The favorite that the picture has of a joke; nil where it has none. O(favorites) where it is that of another
    /// telling.
    private func favorite(of item: Item, _ joke: JokeID) -> Favorite? {
        if case .favorite(let favorite) = snapshot?.item(for: .favorite(joke)) { return favorite }
        guard isStarredByDaemon(joke), let snapshot, snapshot.containsSection(.favoriteJokes),
            let content = item.content
        else { return nil }
        let fingerprint = Fingerprint(of: content.text)
        for id in snapshot.itemIdentifiers(inSection: .favoriteJokes) {
            guard case .favorite(let favorite) = snapshot.item(for: id) else { continue }
            let content = favorite.content
            if Fingerprint(of: content.text) == fingerprint { return favorite }
        }
        return nil
    }
}

extension Model {
    mutating func hide() -> [Effect] {
        guard let item = itemAtCursor, let joke = item.id.joke, mayMark("Not hidden: not connected")
        else { return [] }
        let words = item.content.map { ": " + $0.text.setup } ?? ""
        let call = remember(.hide(joke, isHidden: false), "Shown again\(words)")
        let stays = snapshot?.contains(.favorite(joke)) == true
        notice = Notice(
            text: stays
                ? "Hidden, but still a favorite; \(keys.name(of: .undo)) undoes"
                : "Hidden; \(keys.name(of: .undo)) undoes",
            role: .plain)
        return hide(joke, isHidden: true, call)
    }

    /// Shows the list as it is to be, and asks for it.
    mutating func hide(_ joke: JokeID, isHidden: Bool, _ call: PendingMark.Call) -> [Effect] {
        hides[joke] = PendingMark(isSet: isHidden, calls: (hides[joke]?.calls ?? []) + [call])
        showTold()
        if !isHidden { wish = .row(.item(.joke(joke)), line: nil) }
        grantWish()
        return [.ask(.hide(joke, isHidden: isHidden))]
    }

    /// Takes the daemon's answer. A row that may not be hidden comes back; one that is hidden stays away until the
    /// picture is without it. The cursor goes to no row that may not be shown again.
    mutating func settleHiding(_ joke: JokeID, refusal: String?) {
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var hiding = hides[joke], let call = hiding.takeCall() else { return }
        if refusal != nil { forget(call) }
        let isRefused = hiding.isAnswered && refusal != nil
        if isRefused { forgetWish(for: joke) }
        hides[joke] = isRefused ? nil : hiding
        showTold()
    }

    /// Has the cursor stay where it is when the joke comes.
    mutating func forgetWish(for joke: JokeID) {
        if case .row(.item(.joke(joke)), _) = wish { wish = nil }
    }

    /// The daemon's picture without the rows that are being hidden here, and counted without them.
    var toldWithoutHidden: JokeSnapshot? {
        guard var shown = told else { return nil }
        for (joke, hiding) in hides where hiding.isSet {
            guard let section = shown.sectionIdentifier(containingItem: .joke(joke)),
                let header = shown.section(for: section)
            else { continue }
            // Both are there: there is nothing to throw.
            try? shown.deleteItems([.joke(joke)])
            try? shown.replaceSection(header.withOneLess)
        }
        return shown
    }
}

extension Section {
    /// The header where one of its jokes is hidden.
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
