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
    package let way: Effect
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
        default: return [last.way]
        }
    }

    /// Keeps the way back from what a key is about to do; returns the call that does it.
    mutating func remember(_ way: Effect, _ words: String) -> PendingMark.Call {
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
