import JokesCore

/// The jokes that were told last: where all have been told as often, they come after the others, so that none is
/// told at the end of one round and again at the beginning of the next.
struct RecentTellings {
    /// So many are remembered, whatever was asked for.
    static let limit = 256
    /// So many of what is asked for come after the others, and no more than half of that: the rest is left to chance.
    private static let mostPutOff = 64

    /// A joke that was told, with what it can be asked for by.
    private struct Telling {
        let group: Int64
        let id: JokeID
        let content: JokeContent
    }

    /// The newest last; those in front of the last `limit` are forgotten, and dropped now and then.
    private var tellings: [Telling] = []
    /// How often each group is among those that are not forgotten.
    private var counts: [Int64: Int] = [:]

    /// O(1).
    mutating func add(_ group: Int64, _ joke: Joke) {
        if tellings.count >= Self.limit {
            let forgotten = tellings[tellings.count - Self.limit].group
            counts[forgotten] = counts[forgotten].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        if tellings.count == 2 * Self.limit { tellings.removeFirst(Self.limit) }
        tellings.append(Telling(group: group, id: joke.id, content: joke.content))
        counts[group, default: 0] += 1
    }

    /// The joke that was told last of all.
    var last: JokeID? {
        tellings.last?.id
    }

    /// What of a selection is to come after the others, the latest last: half of those that were told, at most. At the end
    /// of a round that is half of all there are, of up to so many. O(tellings) where not all is asked for.
    func putOff(_ selection: JokeSelection) -> PutOff {
        if selection == JokeSelection() {
            return PutOff(groups: tellings.suffix(min(Self.mostPutOff, counts.count / 2)).map(\.group))
        }
        let asked = tellings.suffix(Self.limit).filter { selection.admits($0.content, from: $0.id.source) }
        let count = min(Self.mostPutOff, Set(asked.map(\.group)).count / 2)
        return PutOff(groups: asked.suffix(count).map(\.group))
    }

    struct PutOff {
        let groups: [Int64]

        /// The larger, the shorter ago the group was told; 0 where it is not put off.
        func rank(of group: Int64) -> Int {
            groups.lastIndex(of: group).map { $0 + 1 } ?? 0
        }
    }
}

extension JokeSelection {
    /// Whether a joke of the source is asked for.
    fileprivate func admits(_ content: JokeContent, from name: some StringProtocol) -> Bool {
        func equal(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }
        if let source, source != name { return false }
        if let category, !content.categories.contains(where: { equal($0, category) }) { return false }
        if let language, !"\(content.language.lowercased())-".hasPrefix("\(language.lowercased())-") { return false }
        return content.text.length <= maxLength ?? .max
    }
}
