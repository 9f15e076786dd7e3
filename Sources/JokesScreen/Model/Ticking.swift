import Diffable
import JokesCore

/// What changes on the screen by time alone. Each has a timer only while it has something to change: else nothing wakes.
package enum Ticking: Hashable, Sendable, CaseIterable {
    /// Moves the light over loading rows.
    case shimmer
    /// Takes the marks of new rows away.
    case arrivals
    /// Ends the wait for a picture that shows what was marked here.
    case marks

    var pause: Duration {
        switch self {
        case .shimmer: .milliseconds(120)
        case .arrivals: .seconds(3)
        case .marks: .seconds(2)
        }
    }
}

// MARK: Loading rows

extension Model {
    /// After each message: a timer where there is a loading row to move, none where there is not.
    mutating func followShimmer(after message: Message) -> [Effect] {
        let wasTicking = shimmer != nil && message != .ticked(.shimmer)
        if isLoadingOnScreen {
            if wasTicking { return [] }
            shimmer = (shimmer ?? -1) + 1
            return [.tick(.shimmer, after: Ticking.shimmer.pause)]
        }
        shimmer = nil
        return wasTicking ? [.stopTicking(.shimmer)] : []
    }

    /// Whether a row is on the screen that waits for a joke, and somebody fetches one.
    private var isLoadingOnScreen: Bool {
        guard link == .live, page == nil, hasLoadingRow else { return false }
        return shownRows.contains { row in
            if case .item(.loading) = row.id { true } else { false }
        }
    }

    /// They lead their section.
    private var hasLoadingRow: Bool {
        guard let snapshot, let section = snapshot.indexOfSection(.jokes),
            case .loading = snapshot.item(at: ItemIndexPath(section: section, item: 0))
        else { return false }
        return true
    }
}

// MARK: New rows

extension Model {
    /// Marks the jokes that a new picture has above those that were there. What comes below them was not fetched just
    /// now but asked for from here.
    mutating func markArrivals(in new: JokeSnapshot) {
        arrivals = arrivals.filter { new.contains($0) }
        guard let told, let newest = told.jokes.first?.firstSeen else { return }
        var arrived: [Joke] = []
        for joke in new.jokes {
            if told.contains(.joke(joke.id)) { return arrivals.formUnion(arrived.map { .joke($0.id) }) }
            // One that was hidden and is to be shown again was here before.
            if case .row(.item(.joke(joke.id)), _) = wish { continue }
            arrived.append(joke)
        }
        // None is left of those that were there: more have come than are shown at a time, or others are let through.
        arrivals.formUnion(arrived.filter { $0.firstSeen > newest }.map { .joke($0.id) })
    }

    /// After each message: one timer from the last arrival on.
    func followArrivals(before: Set<Item.ID>, after message: Message) -> [Effect] {
        if !arrivals.isSubset(of: before) { return [.tick(.arrivals, after: Ticking.arrivals.pause)] }
        let isOver = arrivals.isEmpty && !before.isEmpty && message != .ticked(.arrivals)
        return isOver ? [.stopTicking(.arrivals)] : []
    }
}

// MARK: Marks

extension Model {
    /// After each message: one timer from the first answer on that no picture shows, none where all are shown.
    func followMarks(before wasAwaiting: Bool, after message: Message) -> [Effect] {
        guard awaitsPicture else { return wasAwaiting && message != .ticked(.marks) ? [.stopTicking(.marks)] : [] }
        if case .markAnswered = message { return [.tick(.marks, after: Ticking.marks.pause)] }
        return []
    }
}

extension JokeSnapshot {
    /// The jokes of section `jokes`, the newest first.
    fileprivate var jokes: some Collection<Joke> {
        let section = indexOfSection(.jokes)
        let count = section == nil ? 0 : numberOfItems(inSection: .jokes)
        return (0..<count).lazy.compactMap { index in
            let item = section.flatMap { self.item(at: ItemIndexPath(section: $0, item: index)) }
            guard case .joke(let joke) = item else { return nil }
            return joke
        }
    }
}
