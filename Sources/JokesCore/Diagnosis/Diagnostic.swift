/// The result of a check of the daemon or of `jokesctl doctor`, also as `type Diagnostic` of the interface.
package struct Diagnostic: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable { case ok, warning, failed }

    /// The checks, in words for scripts: those of the daemon, and then those of a client.
    package enum Check: String, Sendable {
        case program, database, storage, recovery, space, cache, configuration, clock, clients, descriptors, network,
            sources, source
        case socket, unit, daemon, version
        case timeSync = "time-sync"
    }

    /// The check; a stable word.
    package var check: String
    package var subject: String?
    package var state: State
    package var message: String
    package var advice: String?

    package init(
        _ check: Check, of subject: String? = nil, _ state: State, _ message: String, advice: String? = nil
    ) {
        (self.check, self.subject, self.state) = (check.rawValue, subject, state)
        (self.message, self.advice) = (message, advice)
    }
}
