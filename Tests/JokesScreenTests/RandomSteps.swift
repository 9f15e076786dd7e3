import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TestSupport
import TextLayout

@testable import JokesScreen

/// A step of the user or of the daemon.
enum Step {
    case message(Message)
    /// A new snapshot, applied as a difference to the previous one, as over the socket.
    case snapshot(JokeSnapshot)
    /// The answer to the change that keys wait for, if any.
    case answer(refusal: String?)
}

extension Play {
    mutating func perform(_ step: Step) throws {
        switch step {
        case .message(.readingEnded) where !isReading: break
        case .message(let message): happen(message)
        case .snapshot(let snapshot):
            let base = model.snapshot ?? JokeSnapshot()
            happen(.changed(try base.applying(SnapshotDifference(from: base, to: snapshot))))
        case .answer(let refusal):
            guard case .answer(let request) = model.waiting?.awaited else { return }
            let accepted: Answer =
                switch request {
                case .undo: .undone(joke("t:1", "")) { ($0.unhidden, $0.removedFavorites) = (1, 1) }
                case .markAllSeen: .count(3)
                default: .done
                }
            happen(.answered(request, refusal.map { .refused($0) } ?? accepted))
        }
    }
}

func shorterBySteps(_ steps: [Step]) -> [[Step]] {
    steps.indices.map { index in
        var rest = steps
        rest.remove(at: index)
        return rest
    }
}

func steps(_ random: inout SplitMix64, size: Int) -> [Step] {
    var last = JokeSnapshot()
    return (0..<size).map { _ in
        switch random.int(in: 0..<32) {
        case 0..<12: return .message(.key(keys[random.int(in: 0..<keys.count)]))
        case 12..<16:
            // Most snapshots are similar to the previous one.
            last = (random.chance(2, in: 3) ? try? edited(last, &random) : nil) ?? randomSnapshot(&random)
            return .snapshot(last)
        case 16:
            return .message(.resized(Size(columns: random.int(in: 1..<130), rows: random.int(in: 1..<30))))
        case 17: return .message(.unreachable(reason: "gone", retryAt: noon))
        case 18: return .message(.connecting)
        case 19, 20: return .message(.readingEnded)
        case 21:
            return .message(
                random.chance(1, in: 2)
                    ? .answered(.sources, .sources(someSources)) : .answered(.sources, .refused("no")))
        case 22: return .message(.mouse(randomMouse(&random)))
        case 23, 24: return .message(randomAnswer(&random))
        case 25: return .message(.pasted("pasted\ntext \u{1B}[2J"))
        case 30:
            return .message(
                random.chance(1, in: 2)
                    ? .answered(.testSource("dad"), .sample(someSample))
                    : .answered(.testSource("dad"), .refused(longRefusal)))
        case 31: return .message(.jokesctlAnswered(longRefusal, hasFailed: random.chance(1, in: 2)))
        default: return .answer(refusal: [nil, nil, "no", longRefusal][random.int(in: 0..<4)])
        }
    }
}

private let longRefusal =
    "The daemon cannot do what it was asked for a reason that takes more than a line.\nMake room on the disk, and try again."

private let keys =
    KeyTable.standard.bindings.flatMap(\.keys).flatMap(\.self) + [.character("4"), .character("/"), .character("e")]
    + editingKeys

/// The keys of prompts that are not in the table.
let editingKeys: [Key] = [
    .escape, .backspace, .delete, .control("a"), .control("e"), .control("w"), .control("k"), .alt("b"), .alt("f"),
    .alt("e"),
]

/// An answer for a page.
private func randomAnswer(_ random: inout SplitMix64) -> Message {
    let numbers = Array(0..<12).shuffled(using: &random).prefix(random.int(in: 0..<13))
    switch random.int(in: 0..<7) {
    case 0: return .answered(.statistics, .statistics(random.chance(1, in: 2) ? someCounts : hostileCounts))
    case 1: return .answered(.statistics, .refused("no"))
    case 2: return .answered(.hidden(cursor: nil), .refused(longRefusal))
    case 3:
        return .answered(
            .random(JokeSelection()),
            .joke(
                Joke(
                    id: JokeID(rawValue: "t:1"), content: JokeContent(text: .twoPart(setup: "a", punchline: "b")),
                    isFavorite: random.chance(1, in: 2), firstSeen: noon)))
    case 4: return .answered(.joke(JokeID(rawValue: "t:\(random.int(in: 0..<12))")), .notShown(longRefusal))
    default:
        return .answered(
            .hidden(cursor: nil),
            .hidden(
                HiddenMethod.Reply(
                    hidden: numbers.map { hiddenJoke("t:\($0)", "Hidden joke \($0)", "punch\n\($0)") },
                    total: random.int(in: 0..<20), notCached: random.int(in: 0..<2),
                    next: random.chance(1, in: 2) ? "next" : nil)))
    }
}

private func randomMouse(_ random: inout SplitMix64) -> MouseEvent {
    let kinds: [MouseEvent.Kind] = [.click, .click, .wheelUp, .wheelDown]
    let position = Position(column: random.int(in: 0..<130), row: random.int(in: 0..<14))
    return MouseEvent(kinds[random.int(in: 0..<kinds.count)], position)
}

/// The snapshot with one item or header changed, moved or removed; nil if it has no items.
private func edited(_ snapshot: JokeSnapshot, _ random: inout SplitMix64) throws -> JokeSnapshot? {
    var new = snapshot
    guard let id = new.itemIdentifiers.randomElement(using: &random) else { return nil }
    switch random.int(in: 0..<6) {
    case 0:
        let section = new.sectionIdentifier(containingItem: id)
        // Loading rows are always the first of their section.
        let others = section.map { new.itemIdentifiers(inSection: $0) }?.filter { $0 != id && $0.isJoke } ?? []
        guard id.isJoke, let other = others.randomElement(using: &random) else { return nil }
        try new.moveItem(id, beforeItem: other)
    case 1: try new.deleteItems([id])
    case 2 where new.containsSection(.jokes): try new.replaceSection(.jokes(randomHeader(&random)))
    default: try new.replace(changed(new.item(for: id), &random))
    }
    return new
}

extension Item.ID {
    fileprivate var isJoke: Bool {
        if case .loading = self { false } else { true }
    }
}

/// The same item with another text, or with its favorite mark toggled.
private func changed(_ item: Item?, _ random: inout SplitMix64) -> Item {
    let words = "changed " + String(repeating: "again ", count: random.int(in: 0..<20))
    switch item {
    case .joke(let old): return joke(old.id.rawValue, words, "new", isFavorite: !old.isFavorite, isSeen: !old.isSeen)
    case .favorite(let old): return favorite(old.id.rawValue, words)
    case .found(let old):
        var joke = old.joke
        joke.isFavorite.toggle()
        return .found(FoundJoke(joke: joke, marks: old.marks))
    case .loading, .unknown, nil: return item ?? .loading(0)
    }
}

private func randomSnapshot(_ random: inout SplitMix64) -> JokeSnapshot {
    if random.chance(1, in: 12) { return JokeSnapshot() }
    if random.chance(1, in: 3) {
        let words = Array(0..<9).shuffled(using: &random).prefix(random.int(in: 0..<9)).map { "\($0)" }
        let favorites = (0..<random.int(in: 0..<4)).map { favorite("t:\($0)", "Favorite \($0)") }
        let count = words.count + random.int(in: 0..<3)
        return (try? found("n", words, favorites: favorites, count: count)) ?? JokeSnapshot()
    }
    let numbers = Array(0..<12).shuffled(using: &random).prefix(random.int(in: 0..<13))
    let jokes = numbers.map { number in
        joke(
            "t:\(number)", String(repeating: "word\(number) ", count: random.int(in: 1..<40)),
            random.chance(1, in: 2) ? "punch\n\(number)" : nil, isFavorite: random.chance(1, in: 3),
            isSeen: random.chance(1, in: 2))
    }
    let most = random.chance(1, in: 4) ? 16 : 4
    let favorites = Array(0..<most).shuffled(using: &random).prefix(random.int(in: 0..<most))
    let snapshot = try? snapshot(
        favorites: favorites.map { favorite("t:\($0)", "Favorite \($0)") }, loading: random.int(in: 0..<4),
        jokes: jokes,
        header: randomHeader(&random))
    return snapshot ?? JokeSnapshot()
}

private func randomHeader(_ random: inout SplitMix64) -> JokesHeader {
    JokesHeader(
        shown: random.int(in: 0..<14), lastSync: random.chance(1, in: 2) ? noon : nil,
        isSyncing: random.chance(1, in: 3),
        isOffline: random.chance(1, in: 3), failing: random.chance(1, in: 3) ? ["dad", "jokeapi"] : [])
}
