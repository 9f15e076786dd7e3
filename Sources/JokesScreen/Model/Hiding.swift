import Diffable
import JokesCore
import Terminal
import TextLayout

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
        return [.hide(joke, isHidden: isHidden)]
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
