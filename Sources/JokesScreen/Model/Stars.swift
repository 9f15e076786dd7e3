import JokesCore
import Terminal

extension Model {
    mutating func toggleStar() -> [Effect] {
        guard let joke = jokeAtCursor else { return [] }
        guard link == .live else {
            notice = Notice(text: "No stars while the daemon is away.", role: .warning)
            return []
        }
        let isStarred = !isStarred(joke)
        stars[joke] = PendingStar(isStarred: isStarred, unanswered: (stars[joke]?.unanswered ?? 0) + 1)
        return [.star(joke, isStarred: isStarred)]
    }

    /// Takes the daemon's answer. A refused star goes; one that was granted stays until the picture shows it.
    mutating func settleStar(_ joke: JokeID, refusal: String?) {
        if let refusal { notice = Notice(text: refusal, role: .bad) }
        guard var star = stars[joke] else { return }
        star.unanswered -= 1
        let isSettled = star.unanswered <= 0 && (refusal != nil || star.isStarred == isStarredByDaemon(joke))
        stars[joke] = isSettled ? nil : star
    }

    /// After a new picture, what is answered is as the daemon shows it, whatever was asked for here: others may have
    /// asked for something else since.
    mutating func settleStars() {
        stars = stars.filter { $0.value.unanswered > 0 }
    }
}
