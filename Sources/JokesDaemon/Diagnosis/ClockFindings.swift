import JokesCore
import JokesProtocol
import Unix

/// The facts about the wall clock. It decides ages and the validity of certificates, but not schedules.
struct ClockFacts {
    var now: Timestamp
    /// The latest time that any run of the daemon has recorded.
    var latestRecorded: Timestamp?
    /// How far it is ahead of the clocks of servers that have answered; negative if it is behind.
    var leadsOverServers: [Duration]

    /// The release of the oldest compiler that can build this. A correct clock shows a later time.
    private static let earliest = Timestamp(microseconds: 1_757_894_400_000_000)
    /// The maximum usual correction of a synchronized clock.
    private static let usualCorrection: Duration = .seconds(60)
    /// For errors of a server's clock, and the time of the transfer.
    private static let tolerance: Duration = .seconds(5 * 60)
    /// New certificates are often valid from an hour before.
    private static let harmful: Duration = .seconds(3600)

    private static let advice =
        "Set the clock: sudo timedatectl set-ntp true (needs a package such as systemd-timesyncd)"

    var finding: Wire.Finding {
        if now < Self.earliest {
            return Wire.Finding(
                .clock, .failed, "the clock is set to a date in the past, so HTTPS fails",
                advice: Self.advice)
        }
        // If one server agrees, the clocks of the others are wrong.
        if let lead = leadsOverServers.min(by: { $0.magnitude < $1.magnitude }), lead.magnitude > Self.tolerance {
            let way = lead > .zero ? "ahead of" : "behind"
            return Wire.Finding(
                .clock, lead.magnitude > Self.harmful ? .failed : .warning,
                "the clock is \(TimeInWords.length(lead.magnitude)) \(way) every server's clock",
                advice: Self.advice)
        }
        if let latestRecorded, latestRecorded.timeSince(now) > Self.usualCorrection {
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
