import JokesCore
import JokesProtocol

/// Why a source cannot be synced, although its last sync may have succeeded.
enum SourceObstacle: Hashable, Sendable {
    /// The configuration is wrong, for example a secret cannot be read.
    case misconfigured(String)
    /// The service has asked for a pause.
    case unwelcome(until: Timestamp)
}

extension [Wire.SourceHealth] {
    /// Returns the findings about the sources from their last syncs. Sends no request.
    ///
    /// - Parameters:
    ///   - isOffline: Whether no source could be reached, which is one finding.
    ///   - obstacles: The obstacles by the names of sources.
    ///   - reload: The command that reloads the configuration.
    ///   - now: The current time.
    /// - Returns: A finding for each enabled source, and one for all disabled ones.
    func findings(
        isOffline: Bool, obstacles: [String: SourceObstacle] = [:], reload: String, now: Timestamp
    ) -> [Wire.Finding] {
        let enabled = filter(\.enabled)
        let disabled = filter { !$0.enabled }.map(\.name)
        guard !enabled.isEmpty else {
            let which = isEmpty ? "configured" : "enabled"
            return [Wire.Finding(.sources, .ok, "no source is \(which): jokesd serves only cached jokes")]
        }
        var findings: [Wire.Finding] = []
        if isOffline { findings.append(enabled.filter(\.usesNetwork).offlineFinding(now: now)) }
        findings += enabled.compactMap { source in
            if let obstacle = obstacles[source.name] { return source.finding(obstacle, reload: reload, now: now) }
            return isOffline && source.usesNetwork ? nil : source.finding(reload: reload, now: now)
        }
        if !disabled.isEmpty {
            let verb = disabled.count == 1 ? "is" : "are"
            findings.append(Wire.Finding(.sources, .ok, "\(disabled.joined(separator: ", ")) \(verb) disabled"))
        }
        return findings
    }

    /// The finding if no source can be reached.
    fileprivate func offlineFinding(now: Timestamp) -> Wire.Finding {
        let lastSuccess = compactMap(\.lastSuccess).max().map { Timestamp(microseconds: $0) }
        let last = lastSuccess.map { "last sync \(TimeInWords.ago($0, now: now))" } ?? "no sync has succeeded yet"
        let newest = self.max { $0.lastAttempt ?? 0 < $1.lastAttempt ?? 0 }
        let reason = newest?.failure.map { "; last error: \(phrase($0))" } ?? ""
        return Wire.Finding(
            .network, .warning, "offline: no source on the network can be reached; \(last)\(reason)",
            advice:
                "Check the network and the proxy, then run: jokesctl refresh \(newest?.name ?? "") (jokesd also retries by itself)"
        )
    }
}

extension Wire.SourceHealth {
    fileprivate var usesNetwork: Bool {
        SourceKind(rawValue: type)?.traits.usesNetwork ?? true
    }

    /// The maximum pause between two tries. A source that fails for longer needs more than waiting.
    private static let longestPause: Duration = .seconds(86_400)

    /// The finding from its last sync.
    fileprivate func finding(reload: String, now: Timestamp) -> Wire.Finding {
        func ago(_ microseconds: Int64) -> String {
            TimeInWords.ago(Timestamp(microseconds: microseconds), now: now)
        }
        guard let failingSince else { return soundFinding(ago, now: now) }
        let attempt = failures > 1 ? lastAttempt.map { ", last tried \(ago($0))" } ?? "" : ""
        let length = TimeInWords.length(now.timeSince(Timestamp(microseconds: failingSince)))
        let what = "failing for \(length)\(attempt): \(phrase(failure ?? "no reason is known"))"
        if !usesNetwork { return Wire.Finding(.source, of: name, .failed, what, advice: fileAdvice(reload)) }
        let check =
            "check \"url\" and any token or key of the source in the configuration, then reload the configuration: \(reload)"
        if now.timeSince(Timestamp(microseconds: failingSince)) > Self.longestPause {
            return Wire.Finding(
                .source, of: name, .failed, what,
                advice: "Check that the service still exists. If it does, \(check)\nThen run: jokesctl refresh \(name)")
        }
        return Wire.Finding(
            .source, of: name, .warning, what, advice: "\(retry(now: now))\nIf the source keeps failing, \(check)")
    }

    private func fileAdvice(_ reload: String) -> String {
        "Fix the file, or fix the configuration and reload it (\(reload)), then run: jokesctl refresh \(name)"
    }

    /// When the daemon tries again, and the command to try sooner.
    private func retry(now: Timestamp) -> String {
        let next = nextAttempt.map { TimeInWords.until(Timestamp(microseconds: $0), now: now) } ?? "by itself"
        return "jokesd retries \(next)." + (next == "now" ? "" : " To retry sooner: jokesctl refresh \(name)")
    }

    private func soundFinding(_ ago: (Int64) -> String, now: Timestamp) -> Wire.Finding {
        let brought = counted(jokes, "joke")
        guard let lastSuccess else {
            let next = nextAttempt.map { "next sync \(TimeInWords.until(Timestamp(microseconds: $0), now: now))" }
            return Wire.Finding(
                .source, of: name, .ok, syncing ? "syncing, \(brought)" : next ?? "not synced yet")
        }
        let remark = note.map { ": \(phrase($0))" } ?? ""
        if jokes > 0 && shown == 0 {
            // The built-in configuration excludes unrated jokes, such as Debian's fortunes.
            return Wire.Finding(
                .source, of: name, .ok, "ok \(ago(lastSuccess)), \(brought), none shown\(remark)",
                advice:
                    "The filter excludes them, or they are hidden or duplicates. Check \"filter\" in the configuration. If "
                    + "the jokes are unrated and safe, set \"safety\": \"safe\" for this source."
            )
        }
        return Wire.Finding(.source, of: name, .ok, "ok \(ago(lastSuccess)), \(brought)\(remark)")
    }

    fileprivate func finding(_ obstacle: SourceObstacle, reload: String, now: Timestamp) -> Wire.Finding {
        switch obstacle {
        case .misconfigured(let reason):
            Wire.Finding(
                .source, of: name, .failed, "misconfigured: \(phrase(reason))", advice: fileAdvice(reload))
        case .unwelcome(let until):
            Wire.Finding(
                .source, of: name, .warning,
                "the service asked jokesd to wait: \(phrase(failure ?? "the rate limit is reached"))",
                advice: "Wait: jokesd retries \(TimeInWords.until(until, now: now)).")
        }
    }
}
