/// The timed changes of the screen. A timer runs only if there is something to change.
package enum ScreenTimer: Hashable, Sendable, CaseIterable {
    /// Marks the joke at the cursor as seen.
    case reading

    var pause: Duration { .seconds(1) }
}

extension Model {
    /// Returns whether the timer has something to change. If not, it is canceled.
    package func needs(_ timer: ScreenTimer) -> Bool { reading != nil }
}
