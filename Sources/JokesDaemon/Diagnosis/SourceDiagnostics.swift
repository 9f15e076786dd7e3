import JokesCore

/// A reason that prevents the next sync of a source, for `Diagnose`. The last sync may have succeeded.
enum SyncBlocker: Hashable, Sendable {
    /// The configuration is wrong, for example a secret cannot be read.
    case misconfigured(String)
    /// The service has asked for no request before this time.
    case retryAfter(Timestamp)
}

extension [SourceHealth] {
    /// Returns a diagnostic for each enabled source, and one for all disabled sources. Sends no request.
    ///
    /// If `isOffline` is true, one diagnostic replaces those of all network sources without a blocker. `reload` is
    /// the command that reloads the configuration.
    func diagnostics(
        isOffline: Bool, ofFiles files: Set<String> = [], blockers: [String: SyncBlocker] = [:], reload: String,
        now: Timestamp
    ) -> [Diagnostic] {
        let enabled = filter(\.enabled)
        let disabled = filter { !$0.enabled }.map(\.name)
        guard !enabled.isEmpty else {
            let which = isEmpty ? "configured" : "enabled"
            return [Diagnostic(.sources, .ok, "no source is \(which): jokesd serves only cached jokes")]
        }
        var diagnostics: [Diagnostic] = []
        if isOffline { diagnostics.append(enabled.filter { !files.contains($0.name) }.offlineDiagnostic(now: now)) }
        diagnostics += enabled.compactMap { source in
            if let blocker = blockers[source.name] { return source.diagnostic(blocker, reload: reload, now: now) }
            let isFile = files.contains(source.name)
            return isOffline && !isFile ? nil : source.diagnostic(isFile: isFile, reload: reload, now: now)
        }
        if !disabled.isEmpty {
            let verb = disabled.count == 1 ? "is" : "are"
            diagnostics.append(Diagnostic(.sources, .ok, "\(disabled.joined(separator: ", ")) \(verb) disabled"))
        }
        return diagnostics
    }

    fileprivate func offlineDiagnostic(now: Timestamp) -> Diagnostic {
        let last = compactMap(\.lastSuccess).max().map { "last sync \(ago($0, now))" } ?? "no sync has succeeded yet"
        let never = Timestamp(microseconds: 0)
        let newest = self.max { $0.lastAttempt ?? never < $1.lastAttempt ?? never }
        let reason = newest?.failure.map { "; last error: \(phrase($0))" } ?? ""
        return Diagnostic(
            .network, .warning, "offline: no source on the network can be reached; \(last)\(reason)",
            advice: "Check the network and the proxy, then run: jokesctl refresh \(newest?.name ?? "") "
                + "(jokesd also retries by itself)")
    }
}

extension SourceHealth {
    /// The maximum retry delay. A source that fails for longer needs a fix by the user.
    private static let maxRetryDelay: Duration = .seconds(86_400)

    private func diagnostic(_ state: Diagnostic.State, _ text: String, advice: String? = nil) -> Diagnostic {
        Diagnostic(.source, of: name, state, text, advice: advice)
    }

    fileprivate func diagnostic(isFile: Bool, reload: String, now: Timestamp) -> Diagnostic {
        guard let start = failingSince else { return healthyDiagnostic(now: now) }
        let attempt = failures > 1 ? lastAttempt.map { ", last tried \(ago($0, now))" } ?? "" : ""
        let length = TimeInWords.length(now.timeSince(start))
        let message = "failing for \(length)\(attempt): \(phrase(failure ?? "no reason is known"))"
        if isFile { return diagnostic(.failed, message, advice: fixAdvice(reload)) }
        let check = "check the entry of \(name) in the configuration, then reload the configuration: \(reload)"
        if now.timeSince(start) > Self.maxRetryDelay {
            let advice = "Check that the service still exists. If it does, \(check)\nThen run: jokesctl refresh \(name)"
            return diagnostic(.failed, message, advice: advice)
        }
        let next = nextAttempt.map { until($0, now) } ?? "by itself"
        let retry = "jokesd retries \(next)." + (next == "now" ? "" : " To retry sooner: jokesctl refresh \(name)")
        return diagnostic(.warning, message, advice: "\(retry)\nIf the source keeps failing, \(check)")
    }

    /// Returns the advice for an error that no retry can fix.
    private func fixAdvice(_ reload: String) -> String {
        "Fix the file, or fix the configuration and reload it (\(reload)), then run: jokesctl refresh \(name)"
    }

    /// Returns the diagnostic of a source that does not fail, which may not have synced yet.
    private func healthyDiagnostic(now: Timestamp) -> Diagnostic {
        let cached = counted(jokes.cached, "joke")
        guard let lastSuccess else {
            let next = nextAttempt.map { "next sync \(until($0, now))" }
            return diagnostic(.ok, syncing ? "syncing, \(cached)" : next ?? "not synced yet")
        }
        let remark = note.map { ": \(phrase($0))" } ?? ""
        let success = "ok \(ago(lastSuccess, now)), \(cached)"
        guard jokes.cached > 0 && jokes.shown == 0 else { return diagnostic(.ok, success + remark) }
        // The built-in configuration excludes unrated jokes, such as Debian's fortunes.
        let advice =
            jokes.unrated == jokes.cached
            ? "They are unrated. If you trust the source: jokesctl source set \(name) --safety safe"
            : "The filter excludes them, or they are hidden or duplicates. Check \"filter\" in the configuration."
        return diagnostic(.ok, "\(success), none shown\(remark)", advice: advice)
    }

    fileprivate func diagnostic(_ blocker: SyncBlocker, reload: String, now: Timestamp) -> Diagnostic {
        switch blocker {
        case .misconfigured(let reason):
            diagnostic(.failed, "misconfigured: \(phrase(reason))", advice: fixAdvice(reload))
        case .retryAfter(let end):
            diagnostic(
                .warning, "the service asked jokesd to wait: \(phrase(failure ?? "the rate limit is reached"))",
                advice: "Wait: jokesd retries \(TimeInWords.until(end, now: now)).")
        }
    }
}

private func ago(_ time: Timestamp, _ now: Timestamp) -> String { TimeInWords.ago(time, now: now) }

private func until(_ time: Timestamp, _ now: Timestamp) -> String { TimeInWords.until(time, now: now) }
