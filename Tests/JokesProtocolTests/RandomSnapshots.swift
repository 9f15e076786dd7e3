import Diffable
import JokesCore
import TestSupport

/// A random snapshot with every kind of section and item.
func randomSnapshot(_ random: inout SplitMix64, size: Int) -> JokeSnapshot {
    var snapshot = JokeSnapshot()
    var unused = Array(0..<(2 * size + 2)).shuffled(using: &random)
    for section in randomSections(&random) {
        do {
            snapshot.appendSections([section])
            let count = min(unused.count, Int.random(in: 0...size, using: &random))
            let items = unused.prefix(count).map { number in item(number, in: section, &random) }
            unused.removeFirst(count)
            try snapshot.appendItems(items, toSection: section.id)
        } catch {
            preconditionFailure("numbers are used once: \(error)")
        }
    }
    return snapshot
}

/// Returns the difference of two random snapshots.
func difference(from old: JokeSnapshot, to new: JokeSnapshot) -> SnapshotDifference<Section, Item> {
    do {
        return try SnapshotDifference(from: old, to: new)
    } catch {
        preconditionFailure("random snapshots have no duplicates: \(error)")
    }
}

private func randomSections(_ random: inout SplitMix64) -> [Section] {
    let header = JokesHeader(
        shown: Int.random(in: 0...3, using: &random),
        lastSync: random.chance(1, in: 2) ? Timestamp(microseconds: 7) : nil,
        isSyncing: random.chance(1, in: 2), isOffline: random.chance(1, in: 2),
        failing: random.chance(1, in: 2) ? ["official"] : [], isRecovered: random.chance(1, in: 2),
        start: Int.random(in: 0...2, using: &random))
    let all: [Section] = [
        .favoriteJokes(count: Int.random(in: 1...3, using: &random)), .jokes(header),
        .searchResults(
            query: "cat \"dog\"", count: Int.random(in: 0...2, using: &random), isExact: random.chance(1, in: 2),
            start: Int.random(in: 0...2, using: &random)),
    ]
    return all.filter { _ in random.chance(2, in: 3) }.shuffled(using: &random)
}

private func item(_ number: Int, in section: Section, _ random: inout SplitMix64) -> Item {
    let content = JokeContent(
        text: random.chance(1, in: 2)
            ? .single("Joke \(number), version \(Int.random(in: 0...2, using: &random)) \\ \"quoted\"")
            : .twoPart(setup: "Setup \(number)\nover two lines", punchline: "Punchline 🎉 é"),
        language: "en", categories: random.chance(1, in: 2) ? ["Pun", "Dev/Ops"] : [],
        flags: random.chance(1, in: 4) ? [.nsfw, .explicit] : [],
        safety: Safety.allCases.randomElement(using: &random)!,
        details: JokeDetails(
            url: random.chance(1, in: 3) ? "https://example.org/\(number)" : nil,
            author: random.chance(1, in: 3) ? "An author" : nil,
            date: random.chance(1, in: 3) ? "2024-05-\(number)" : nil))
    // A number always has the same kind, so that IDs occur again in other sections.
    switch number % 5 {
    case 0: return .loading(number)
    case 1:
        return .favorite(
            Favorite(
                id: JokeID(source: "test", upstream: "\(number)"), content: content,
                favoritedAt: Timestamp(microseconds: 12), firstSeen: Timestamp(microseconds: Int64(number)),
                note: random.chance(1, in: 3) ? "A note,\nover two lines 🎉" : nil))
    default:
        let joke = Joke(
            id: JokeID(source: "test", upstream: "en:\(number)/x"), content: content,
            isFavorite: random.chance(1, in: 3), isSeen: random.chance(1, in: 3),
            firstSeen: Timestamp(microseconds: Int64(number)))
        guard section.id == .searchResults else { return .joke(joke) }
        let words = content.text.setup.utf8.count
        return .found(FoundJoke(joke: joke, marks: [TextRange(.setup, 0..<min(words, 4))]))
    }
}
