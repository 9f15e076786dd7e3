import Diffable
import JokesCore

/// The timed changes of the screen. A timer runs only while there is something to change.
package enum Ticking: Hashable, Sendable, CaseIterable {
    /// Moves the shimmer of loading rows.
    case shimmer
    /// Ends the highlight of new rows.
    case arrivals
    /// Ends the wait for a snapshot that shows the marks.
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
    /// Starts a timer if a loading row is on the screen, else stops it. Called after each message.
    mutating func followShimmer(after message: Message) -> [Effect] {
        let isTicking = shimmer != nil && message != .ticked(.shimmer)
        guard isLoadingOnScreen else {
            shimmer = nil
            return isTicking ? [.stopTicking(.shimmer)] : []
        }
        if isTicking { return [] }
        shimmer = (shimmer ?? -1) + 1
        return [.tick(.shimmer, after: Ticking.shimmer.pause)]
    }

    /// True if a loading row is on the screen and the daemon is connected.
    private var isLoadingOnScreen: Bool {
        guard link == .live, page == nil, hasLoadingRow else { return false }
        return shownRows.contains { row in
            if case .item(.loading) = row.id { true } else { false }
        }
    }

    /// Loading rows are the first ones of their section.
    private var hasLoadingRow: Bool {
        guard let snapshot, let section = snapshot.indexOfSection(.jokes),
            case .loading = snapshot.item(at: ItemIndexPath(section: section, item: 0))
        else { return false }
        return true
    }
}

// MARK: New rows

extension Model {
    /// Highlights the jokes above the known ones. Jokes below them were loaded by paging.
    mutating func markArrivals(in new: JokeSnapshot) {
        arrivals = arrivals.filter { new.contains($0) }
        guard let told, let newest = told.jokes.first?.firstSeen else { return }
        var arrived: [Joke] = []
        for joke in new.jokes {
            if told.contains(.joke(joke.id)) { return arrivals.formUnion(arrived.map { .joke($0.id) }) }
            // This joke is shown again by an undo.
            if case .row(.item(.joke(joke.id)), _) = wish { continue }
            arrived.append(joke)
        }
        // No known joke is left: more have come than the view holds, or the filter has changed.
        arrivals.formUnion(arrived.filter { $0.firstSeen > newest }.map { .joke($0.id) })
    }

    /// Restarts the timer at each arrival. Called after each message.
    func followArrivals(before: Set<Item.ID>, after message: Message) -> [Effect] {
        if !arrivals.isSubset(of: before) { return [.tick(.arrivals, after: Ticking.arrivals.pause)] }
        let isOver = arrivals.isEmpty && !before.isEmpty && message != .ticked(.arrivals)
        return isOver ? [.stopTicking(.arrivals)] : []
    }
}

// MARK: Marks

extension Model {
    /// Runs the timer while an answered mark waits for a snapshot. Called after each message.
    func followMarks(before wasAwaiting: Bool, after message: Message) -> [Effect] {
        guard awaitsPicture else { return wasAwaiting && message != .ticked(.marks) ? [.stopTicking(.marks)] : [] }
        if case .markAnswered = message { return [.tick(.marks, after: Ticking.marks.pause)] }
        return []
    }
}

extension JokeSnapshot {
    fileprivate var jokes: some Collection<Joke> {
        items(inSection: .jokes).lazy.compactMap { if case .joke(let joke) = $0 { joke } else { nil } }
    }
}
