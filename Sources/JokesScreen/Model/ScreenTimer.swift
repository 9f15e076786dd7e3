import Diffable
import JokesCore
import JokesProtocol

/// The timed changes of the screen. A timer runs only if there is something to change.
package enum ScreenTimer: Hashable, Sendable, CaseIterable {
    /// Ends the highlight of new rows.
    case arrivals
    /// Ends the wait for a snapshot that shows the marks.
    case marks
    /// Marks the joke at the cursor as seen.
    case reading

    var pause: Duration {
        switch self {
        case .arrivals: .seconds(3)
        case .marks: .seconds(2)
        case .reading: .seconds(1)
        }
    }
}

extension Model {
    /// Returns whether the timer has something to change. If not, it is canceled.
    package func needs(_ timer: ScreenTimer) -> Bool {
        switch timer {
        case .arrivals: !arrivals.isEmpty
        case .marks: marks.values.contains(where: \.isAnswered)
        case .reading: reading != nil
        }
    }
}

// MARK: New rows

extension Model {
    /// Highlights the jokes above the known ones. Other windows have no new jokes, but jokes that were not loaded.
    mutating func markArrivals(in new: JokeSnapshot) -> [Effect] {
        arrivals = arrivals.filter { new.contains($0) }
        // With another filter, unknown jokes are not new.
        guard watched.selection == shownSelection else { return [] }
        guard let daemonSnapshot, daemonSnapshot.start == 0, new.start == 0,
            let newest = daemonSnapshot.jokes.first?.firstSeen
        else { return [] }
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
    /// The number of jokes above the first one.
    fileprivate var start: Int { if case .jokes(let header) = section(for: .jokes) { header.start } else { 0 } }

    fileprivate var jokes: some Collection<Joke> {
        items(inSection: .jokes).lazy.compactMap { if case .joke(let joke) = $0 { joke } else { nil } }
    }
}
