import Diffable
import JokesCore
import Terminal

extension Model {
    mutating func toggleStar() -> [Effect] {
        guard let item = itemAtCursor, let joke = item.id.joke, mayMark("No stars while the daemon is away.") else {
            return []
        }
        let isStarred = isStarred(joke)
        let words = item.content.map { ": " + $0.text.setup } ?? "."
        let way = Effect.star(joke, isStarred: isStarred, note: isStarred ? note(of: joke) : nil)
        let call = remember(way, isStarred ? "Starred again\(words)" : "The star is taken back\(words)")
        return star(joke, isStarred: !isStarred, call)
    }

    /// Shows the star as it is to be, and asks for it.
    mutating func star(_ joke: JokeID, isStarred: Bool, note: String? = nil, _ call: PendingMark.Call) -> [Effect] {
        stars[joke] = PendingMark(isSet: isStarred, calls: (stars[joke]?.calls ?? []) + [call])
        return [.star(joke, isStarred: isStarred, note: note)]
    }

    /// Takes the daemon's answer. A refused star goes; one that was granted stays until the picture shows it.
    mutating func settleStar(_ joke: JokeID, refusal: String?) {
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var star = stars[joke], let call = star.takeCall() else { return }
        if refusal != nil { forget(call) }
        let isSettled = star.calls.isEmpty && (refusal != nil || star.isSet == isStarredByDaemon(joke))
        stars[joke] = isSettled ? nil : star
    }

    private func note(of joke: JokeID) -> String? {
        guard case .favorite(let favorite) = snapshot?.item(for: .favorite(joke)) else { return nil }
        return favorite.note
    }
}
