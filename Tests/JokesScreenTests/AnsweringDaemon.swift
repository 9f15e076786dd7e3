import Diffable
import JokesCore
import JokesProtocol

@testable import JokesScreen

/// A daemon that accepts every change, as a viewer sees it: its requests, answers and snapshots.
///
/// The jokes are the numbers from `newest` down, so new jokes have greater numbers.
struct AnsweringDaemon {
    private(set) var favorites: Set<Int>
    private(set) var notes: [Int: String] = [2: "for Ann"]
    private(set) var hidden: Set<Int> = []
    private(set) var view = View()
    /// The pending answers, in the order of the calls. The snapshot of the last requested view may come at any time.
    private var answers: [Message] = []
    private var isSnapshotDue = true
    /// The states before the changes that no undo has taken back.
    private var earlier: [(favorites: Set<Int>, notes: [Int: String], hidden: Set<Int>)] = []
    private(set) var numbers: Range<Int>
    /// The size of a view without a size.
    let feedSize: Int

    init(jokes: Int = 144, feedSize: Int = 50, favorites: Int = 1) {
        numbers = 0..<jokes
        self.favorites = Set(2..<2 + favorites)
        self.feedSize = feedSize
    }

    /// The shown jokes, newest first.
    var shown: [JokeID] { listed.map { JokeID(rawValue: "t:\($0)") } }

    private var listed: [Int] { numbers.reversed().filter { !hidden.contains($0) && selects($0) } }

    /// Adds new jokes at the top of the list.
    mutating func add(_ count: Int) {
        numbers = numbers.lowerBound..<numbers.upperBound + count
        isSnapshotDue = true
    }

    /// Hides a joke, as another client does.
    mutating func hide(_ number: Int) {
        hidden.insert(number)
        isSnapshotDue = true
    }

    /// The snapshot of the view.
    var snapshot: JokeSnapshot {
        get throws {
            let all = listed
            let favorites = self.favorites.sorted().map { favorite("t:\($0)", text(of: $0), note: notes[$0]) }
            guard let query = view.query else {
                let (rows, start) = window(of: all)
                let jokes = rows.map {
                    joke("t:\($0)", text(of: $0), isFavorite: self.favorites.contains($0), isSeen: isSeen($0))
                }
                return try JokesScreenTests.snapshot(
                    favorites: favorites, jokes: jokes,
                    header: JokesHeader(shown: all.count, lastSync: noon, start: start))
            }
            let matching = all.filter { text(of: $0).contains(query) }
            let (rows, start) = window(of: matching)
            return try found(query, rows.map { "\($0)" }, favorites: favorites, count: matching.count, start: start)
        }
    }

    private func window(of all: [Int]) -> (rows: [Int], start: Int) {
        let size = view.size ?? feedSize
        let start = max(0, min(view.start, all.count - size))
        return (Array(all.dropFirst(start).prefix(size)), start)
    }

    private func text(of number: Int) -> String {
        "A \(number) joke."
    }

    private func isSeen(_ number: Int) -> Bool { number % 3 != 1 }

    /// Other members of the selection select all jokes, because all have the same source, category and language.
    private func selects(_ number: Int) -> Bool { view.selection.unseen != true || !isSeen(number) }

    private var statistics: StatisticsMethod.Reply {
        let shown = numbers.filter { !hidden.contains($0) }
        let unseen = shown.count { !isSeen($0) }
        func all(_ name: String) -> [NameCount] {
            [NameCount(name: name, jokes: shown.count, unseen: unseen)]
        }
        return StatisticsMethod.Reply(
            jokes: shown.count, unseen: unseen, favorites: favorites.count, served: 0, sources: all("t"),
            categories: all("Pun"), languages: all("en"))
    }

    /// A page of three hidden jokes. The cursor is the number of jokes before the page.
    private func hiddenPage(after cursor: String?) -> HiddenMethod.Reply {
        let start = cursor.flatMap { Int($0) } ?? 0
        let page = hidden.sorted().dropFirst(start).prefix(3)
        return HiddenMethod.Reply(
            hidden: page.map { hiddenJoke("t:\($0)", text(of: $0), isFavorite: favorites.contains($0)) },
            total: hidden.count, notCached: 0, next: start + 3 < hidden.count ? "\(start + 3)" : nil)
    }

    /// Performs a request, and queues its answer.
    mutating func perform(_ effect: Effect) {
        switch effect {
        case .send(.watch(let view)): self.view = view
        case .send(.favorite(let id, let isFavorite, let note)):
            change {
                $0.set(id, in: \.favorites, isFavorite)
                $0.setNote(of: id, isFavorite: isFavorite, note)
            }
            answers.append(.answered(.favorite(id, isFavorite: isFavorite, note: note), .done))
        case .send(.hide(let id, let isHidden)):
            change { $0.set(id, in: \.hidden, isHidden) }
            answers.append(.answered(.hide(id, isHidden: isHidden), .done))
        case .send(.markSeen(let id, let isSeen)):
            return answers.append(.answered(.markSeen(id, isSeen: isSeen), .done))
        case .send(.markAllSeen(let selection)):
            return answers.append(.answered(.markAllSeen(selection), .count(0)))
        case .send(.undo):
            guard let last = earlier.popLast() else {
                return answers.append(.answered(.undo, .undone(UndoMethod.Reply())))
            }
            answers.append(.answered(.undo, .undone(undo(to: last))))
        case .send(.statistics): return answers.append(.answered(.statistics, .statistics(statistics)))
        case .send(.hidden(let cursor)):
            return answers.append(.answered(.hidden(cursor: cursor), .hidden(hiddenPage(after: cursor))))
        default: return
        }
        isSnapshotDue = true
    }

    private mutating func change(_ body: (inout AnsweringDaemon) -> Void) {
        let before = (favorites, notes, hidden)
        body(&self)
        if before != (favorites, notes, hidden) { earlier.append(before) }
    }

    /// Exchanges messages with the viewer until there are no more.
    mutating func settle(_ play: inout Play) throws {
        while true {
            for effect in play.takeEffects() { perform(effect) }
            let messages = [nextAnswer(), try nextSnapshot()].compactMap(\.self)
            if messages.isEmpty { return }
            for message in messages { play.happen(message) }
        }
    }

    private mutating func undo(
        to last: (favorites: Set<Int>, notes: [Int: String], hidden: Set<Int>)
    ) -> UndoMethod.Reply {
        var reply = UndoMethod.Reply()
        reply.changedAt = noon
        let notesChanged = numbers.filter { notes[$0] != last.notes[$0] }
        let changed = favorites.symmetricDifference(last.favorites).union(hidden.symmetricDifference(last.hidden))
            .union(notesChanged)
        reply.removedFavorites = favorites.subtracting(last.favorites).count
        reply.restoredFavorites = last.favorites.subtracting(favorites).count
        reply.notes = notesChanged.count { favorites.contains($0) && last.favorites.contains($0) }
        (reply.unhidden, reply.hidden) = (hidden.subtracting(last.hidden).count, last.hidden.subtracting(hidden).count)
        (favorites, notes, hidden) = last
        reply.id = changed.count == 1 ? "t:\(changed.first!)" : nil
        return reply
    }

    private mutating func set(_ id: JokeID, in marks: WritableKeyPath<Self, Set<Int>>, _ isSet: Bool) {
        guard let number = Int(id.rawValue.dropFirst(2)) else { return }
        if isSet { self[keyPath: marks].insert(number) } else { self[keyPath: marks].remove(number) }
    }

    private mutating func setNote(of id: JokeID, isFavorite: Bool, _ note: String?) {
        guard let number = Int(id.rawValue.dropFirst(2)) else { return }
        let note = isFavorite ? note ?? notes[number] : nil
        notes[number] = note == "" ? nil : note
    }

    mutating func nextAnswer() -> Message? {
        answers.isEmpty ? nil : answers.removeFirst()
    }

    mutating func nextSnapshot() throws -> Message? {
        defer { isSnapshotDue = false }
        return isSnapshotDue ? .changed(try snapshot) : nil
    }
}
