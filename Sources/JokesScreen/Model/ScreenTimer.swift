import Diffable
import JokesCore
import JokesProtocol

/// The timed changes of the screen. A timer runs only if there is something to change.
package enum ScreenTimer: Hashable, Sendable, CaseIterable {
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

extension Model {
    /// Returns whether the timer has something to change. If not, it is canceled.
    package func needs(_ timer: ScreenTimer) -> Bool {
        switch timer {
        case .shimmer: shimmer != nil
        case .arrivals: !arrivals.isEmpty
        case .marks: marks.values.contains(where: \.isAnswered)
        }
    }
}

// MARK: Loading rows

extension Model {
    /// Moves the shimmer if a loading row is on the screen. Called after each message.
    mutating func followShimmer(after message: Message) -> [Effect] {
        guard isLoadingOnScreen else {
            shimmer = nil
            return []
        }
        if shimmer != nil && message != .timerEnded(.shimmer) { return [] }
        shimmer = (shimmer ?? -1) + 1
        return [.startTimer(.shimmer)]
    }

    /// True if a loading row is on the screen and the daemon is connected.
    private var isLoadingOnScreen: Bool {
        // Loading rows are the first ones of their section.
        guard link == .live, page == nil, let section = snapshot?.indexOfSection(.jokes),
            case .loading = snapshot?.item(at: ItemIndexPath(section: section, item: 0))
        else { return false }
        return shownRows.contains { if case .item(.loading) = $0.id { true } else { false } }
    }
}

// MARK: New rows

extension Model {
    /// Highlights the jokes above the known ones. Jokes below them were loaded by paging.
    mutating func markArrivals(in new: JokeSnapshot) -> [Effect] {
        arrivals = arrivals.filter { new.contains($0) }
        // With another filter, unknown jokes are not new.
        guard watched.selection == shownSelection else { return [] }
        guard let daemonSnapshot, let newest = daemonSnapshot.jokes.first?.firstSeen else { return [] }
        let unknown = Array(new.jokes.prefix { !daemonSnapshot.contains(.joke($0.id)) })
        let isKnownLeft = new.jokes.dropFirst(unknown.count).first != nil
        let arrived = unknown.filter { joke in
            // An undo shows this joke again.
            if case .row(.item(.joke(joke.id)), _) = expectedRow { return false }
            // If no known joke is left, more have come than the view holds, or the filter has changed.
            return isKnownLeft || joke.firstSeen > newest
        }
        let before = arrivals
        arrivals.formUnion(arrived.map { .joke($0.id) })
        return arrivals == before ? [] : [.startTimer(.arrivals)]
    }
}

extension JokeSnapshot {
    fileprivate var jokes: some Collection<Joke> {
        items(inSection: .jokes).lazy.compactMap { if case .joke(let joke) = $0 { joke } else { nil } }
    }
}
