/// The timed changes of the screen. A timer runs only if there is something to change.
package enum ScreenTimer: Hashable, Sendable, CaseIterable {
    /// Ends the wait for a snapshot that shows the marks.
    case marks
    /// Marks the joke at the cursor as seen.
    case reading

    var pause: Duration {
        switch self {
        case .marks: .seconds(2)
        case .reading: .seconds(1)
        }
    }
}

extension Model {
    /// Returns whether the timer has something to change. If not, it is canceled.
    package func needs(_ timer: ScreenTimer) -> Bool {
        switch timer {
        case .marks: marks.values.contains(where: \.isAnswered)
        case .reading: reading != nil
        }
    }
}
