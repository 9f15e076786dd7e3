import JokesCore
import JokesProtocol
import Unix

/// What is to be known of the wall clock. Schedules do not run on it; ages are told by it, and certificates judged.
struct ClockFacts {
    var now: Timestamp
    /// The latest time that the daemon has written down itself, now or in an earlier life.
    var latestRecorded: Timestamp?
    /// How far it is ahead of the clocks of servers that have answered; negative where it is behind.
    var leadsOverServers: [Duration]

    /// When the oldest compiler came out that this can be built with: no clock that is right shows less.
    private static let knownPast = Timestamp(microseconds: 1_757_894_400_000_000)
    /// Clocks that are kept in step are corrected by less.
    private static let unremarkable: Duration = .seconds(60)
    /// A server's own clock, and what the way takes.
    private static let tolerance: Duration = .seconds(5 * 60)
    /// A certificate is made out from an hour before it is given.
    private static let harmful: Duration = .seconds(3600)

    private static let advice =
        "Set the clock: sudo timedatectl set-ntp true (needs a package such as systemd-timesyncd)"

    var finding: Wire.Finding {
        if now < Self.knownPast {
            return Wire.Finding(
                .clock, .failed, "the clock is set to a date in the past, so HTTPS fails",
                advice: Self.advice)
        }
        // Where one server agrees it is the others' clocks that are wrong.
        if let lead = leadsOverServers.min(by: { $0.magnitude < $1.magnitude }), lead.magnitude > Self.tolerance {
            let way = lead > .zero ? "ahead of" : "behind"
            return Wire.Finding(
                .clock, lead.magnitude > Self.harmful ? .failed : .warning,
                "the clock is \(TimeInWords.length(lead.magnitude)) \(way) every server's clock",
                advice: Self.advice)
        }
        if let latestRecorded, latestRecorded.timeSince(now) > Self.unremarkable {
            let behind = TimeInWords.length(latestRecorded.timeSince(now))
            return Wire.Finding(
                .clock, .warning, "the clock was set back: jokesd has recorded a time \(behind) ahead of it",
                advice: "If the clock is wrong, \(Self.advice.prefix(1).lowercased())\(Self.advice.dropFirst())")
        }
        let agreeing = leadsOverServers.count { $0.magnitude <= Self.tolerance }
        return Wire.Finding(
            .clock, .ok,
            agreeing == 0
                ? "the clock is not behind any stored time"
                : "the clock agrees with the dates in the answers of \(counted(agreeing, "server"))")
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
