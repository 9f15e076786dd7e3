/// The current time of both clocks: schedules use the first one, people and the store the second one.
package struct Moment: Hashable, Sendable {
    /// The time since the machine was booted, with suspension. It cannot be set.
    package var sinceBoot: Duration
    package var wall: Timestamp

    package init(sinceBoot: Duration, wall: Timestamp) {
        self.sinceBoot = sinceBoot
        self.wall = wall
    }
}
