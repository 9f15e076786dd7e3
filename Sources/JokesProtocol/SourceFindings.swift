package import JokesCore

/// What keeps a source from being asked that its last attempt need not have met.
package enum SourceObstacle: Hashable, Sendable {
    /// It cannot be asked as it is configured: a secret that cannot be read. The reason is in words for people.
    case misconfigured(String)
    /// The service does not want to be asked before.
    case unwelcome(until: Timestamp)
}

extension [Wire.SourceHealth] {
    /// What there is to say of the sources, by what their last attempts found: none is asked for it.
    ///
    /// - Parameters:
    ///   - isOffline: No source could be reached: that is said once.
    ///   - obstacles: By the names of sources.
    ///   - now: For times in words.
    /// - Returns: A finding for each that is enabled, and one for all that are not.
    package func findings(
        isOffline: Bool, obstacles: [String: SourceObstacle] = [:], now: Timestamp
    ) -> [Wire.Finding] {
        let enabled = filter(\.enabled)
        let disabled = filter { !$0.enabled }.map(\.name)
        guard !enabled.isEmpty else {
            let which = isEmpty ? "configured" : "enabled"
            return [Wire.Finding(.sources, .ok, "no source is \(which): what is cached is told, and nothing new comes")]
        }
        var findings: [Wire.Finding] = []
        if isOffline { findings.append(enabled.filter(\.usesNetwork).offlineFinding(now: now)) }
        findings += enabled.compactMap { source in
            if let obstacle = obstacles[source.name] { return source.finding(obstacle, now: now) }
            return isOffline && source.usesNetwork ? nil : source.finding(now: now)
        }
        if !disabled.isEmpty {
            let verb = disabled.count == 1 ? "is" : "are"
            findings.append(Wire.Finding(.sources, .ok, "\(disabled.joined(separator: ", ")) \(verb) disabled"))
        }
        return findings
    }

    /// Of sources none of which could be reached.
    fileprivate func offlineFinding(now: Timestamp) -> Wire.Finding {
        let lastSuccess = compactMap(\.lastSuccess).max().map { Timestamp(microseconds: $0) }
        let last = lastSuccess.map { "the last success was \(TimeInWords.ago($0, now: now))" } ?? "none ever was"
        let newest = self.max { $0.lastAttempt ?? 0 < $1.lastAttempt ?? 0 }
        let reason = newest?.failure.map { ": \(phrase($0))" } ?? ""
        return Wire.Finding(
            .network, .warning, "offline: no source can be reached; \(last)\(reason)",
            advice:
                "See to the network, and to the proxy where it needs one; then: jokesctl refresh \(newest?.name ?? ""). By themselves they are tried again, too."
        )
    }
}

extension Wire.SourceHealth {
    fileprivate var usesNetwork: Bool {
        SourceKind(rawValue: type)?.traits.usesNetwork ?? true
    }

    /// The pause between two attempts grows no longer than this: a source that fails for longer does not come back by
    /// waiting alone.
    private static let longestPause: Duration = .seconds(86_400)

    /// By its last attempt.
    fileprivate func finding(now: Timestamp) -> Wire.Finding {
        func ago(_ microseconds: Int64) -> String {
            TimeInWords.ago(Timestamp(microseconds: microseconds), now: now)
        }
        guard let failingSince else { return soundFinding(ago, now: now) }
        let attempt = failures > 1 ? lastAttempt.map { ", asked last \(ago($0))" } ?? "" : ""
        let what = "failing since \(ago(failingSince))\(attempt): \(phrase(failure ?? "no reason is known"))"
        if !usesNetwork {
            return Wire.Finding(
                .source, of: name, .failed, what,
                advice:
                    "See that the path in the configuration is there, and that jokesd may read it; then: jokesctl refresh \(name)"
            )
        }
        if now.timeSince(Timestamp(microseconds: failingSince)) > Self.longestPause {
            return Wire.Finding(
                .source, of: name, .failed, what,
                advice:
                    "See whether the service is still there, and what the configuration says of it; then: jokesctl refresh \(name)"
            )
        }
        let next = nextAttempt.map { "It is tried again \(TimeInWords.until(Timestamp(microseconds: $0), now: now)); " }
        return Wire.Finding(
            .source, of: name, .warning, what,
            advice: "\(next ?? "It is tried again by itself; ")sooner, where its rate allows: jokesctl refresh \(name)")
    }

    private func soundFinding(_ ago: (Int64) -> String, now: Timestamp) -> Wire.Finding {
        let brought = counted(jokes, "joke")
        guard let lastSuccess else {
            let next = nextAttempt.map { "is asked \(TimeInWords.until(Timestamp(microseconds: $0), now: now))" }
            return Wire.Finding(
                .source, of: name, .ok, syncing ? "is being asked, \(brought)" : next ?? "was not asked yet")
        }
        let remark = note.map { ": \(phrase($0))" } ?? ""
        if jokes > 0 && shown == 0 {
            // As the configuration says, the built-in one with Debian's fortunes among them.
            return Wire.Finding(
                .source, of: name, .ok, "ok \(ago(lastSuccess)), \(brought), of which none is shown\(remark)",
                advice:
                    "The filter leaves them out, or an earlier source tells them too. Vouch for them by \"safety\": \"safe\" in that source."
            )
        }
        return Wire.Finding(.source, of: name, .ok, "ok \(ago(lastSuccess)), \(brought)\(remark)")
    }

    fileprivate func finding(_ obstacle: SourceObstacle, now: Timestamp) -> Wire.Finding {
        switch obstacle {
        case .misconfigured(let reason):
            Wire.Finding(
                .source, of: name, .failed, "cannot be asked: \(phrase(reason))",
                advice:
                    "Mend that in the configuration, or let jokesd read what it names; then: jokesctl refresh \(name)")
        case .unwelcome(let until):
            Wire.Finding(
                .source, of: name, .warning,
                "does not want to be asked: \(phrase(failure ?? "its rate is used up"))",
                advice: "Wait: it is asked again \(TimeInWords.until(until, now: now)).")
        }
    }
}

/// A sentence as it goes on behind a colon.
package func phrase(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}
