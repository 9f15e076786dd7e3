import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    mutating func toggleStar() -> [Effect] {
        guard let item = itemAtCursor, let joke = item.id.joke, mayMark("Favorite unchanged: not connected") else {
            return []
        }
        let words = item.content.map { ": " + $0.text.setup } ?? ""
        let starring = favorite(of: item, joke).map { .restore($0, of: joke) } ?? Effect.star(joke, isStarred: true)
        let unstarring = Effect.star(joke, isStarred: false)
        if isStarred(joke) {
            return star(joke, isStarred: false, by: unstarring, remember(starring, "Favorite restored\(words)"))
        } else {
            return star(joke, isStarred: true, by: starring, remember(unstarring, "Favorite removed\(words)"))
        }
    }

    /// Shows the star as it is to be, and asks for it.
    mutating func star(
        _ joke: JokeID, isStarred: Bool, by effect: Effect, _ call: PendingMark.Call
    ) -> [Effect] {
        stars[joke] = PendingMark(isSet: isStarred, calls: (stars[joke]?.calls ?? []) + [call])
        return [effect]
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
