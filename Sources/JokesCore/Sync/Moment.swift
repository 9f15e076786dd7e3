/// Now, by both clocks: schedules run on the first, people and the store read the second.
package struct Moment: Hashable, Sendable {
    /// Time since boot, counted through suspend; nobody can set it.
    package var sinceBoot: Duration
    package var wall: Timestamp

    package init(sinceBoot: Duration, wall: Timestamp) {
        self.sinceBoot = sinceBoot
        self.wall = wall
    }
}
