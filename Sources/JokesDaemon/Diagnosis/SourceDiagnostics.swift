import JokesCore

extension [SourceHealth] {
    /// Returns a diagnostic of the last sync of each enabled source, and one for all disabled sources. Sends no request.
    ///
    /// If `isOffline` is true, one diagnostic replaces those of all network sources. `reload` is the command that
    /// reloads the configuration.
    func diagnostics(
        isOffline: Bool, ofFiles files: Set<String> = [], reload: String, now: Timestamp
    ) -> [Diagnostic] {
        let enabled = filter(\.enabled)
        guard !enabled.isEmpty else {
            let which = isEmpty ? "configured" : "enabled"
            return [Diagnostic(.sources, .ok, "no source is \(which): jokesd serves only cached jokes")]
        }
        var diagnostics: [Diagnostic] = []
        if isOffline { diagnostics.append(enabled.filter { !files.contains($0.name) }.offlineDiagnostic(now: now)) }
        diagnostics += enabled.compactMap { source in
            let isFile = files.contains(source.name)
            return isOffline && !isFile ? nil : source.diagnostic(isFile: isFile, reload: reload, now: now)
        }
        let disabled = filter { !$0.enabled }.map(\.name)
        if !disabled.isEmpty {
            let verb = disabled.count == 1 ? "is" : "are"
            diagnostics.append(Diagnostic(.sources, .ok, "\(disabled.joined(separator: ", ")) \(verb) disabled"))
        }
        return diagnostics
    }

    private func offlineDiagnostic(now: Timestamp) -> Diagnostic {
        let success = compactMap(\.lastSuccess).max().map { "last sync \(TimeInWords.ago($0, now: now))" }
        let reason = compactMap(\.failure).first.map { "; an error: \(phrase($0))" } ?? ""
        return Diagnostic(
            .network, .warning,
            "offline: no source on the network can be reached; \(success ?? "no sync has succeeded yet")\(reason)",
            advice: "Check the network and the proxy, then run: jokesctl refresh (jokesd also retries by itself)")
    }
}

extension SourceHealth {
    /// The maximum retry delay. A source that fails for longer needs a fix by the user.
    private static let maxRetryDelay: Duration = .seconds(86_400)

    /// Returns the diagnostic of an enabled source. A file that cannot be read needs a fix at once.
    fileprivate func diagnostic(isFile: Bool, reload: String, now: Timestamp) -> Diagnostic {
        let next = nextAttempt.map { TimeInWords.until($0, now: now) }
        if let failingSince {
            let length = now.timeSince(failingSince)
            return Diagnostic(
                .source, of: name, isFile || length > Self.maxRetryDelay ? .failed : .warning,
                "failing for \(TimeInWords.length(length)): \(phrase(failure ?? "no reason is known"))",
                advice: "jokesd retries \(next ?? "by itself"). To retry now: jokesctl refresh \(name)\n"
                    + "If the source keeps failing, check its entry in the configuration, and reload it: \(reload)")
        }
        let cached = counted(jokes.cached, "joke")
        guard let lastSuccess else {
            let plan = next.map { "next sync \($0)" } ?? "not synced yet"
            return Diagnostic(.source, of: name, .ok, syncing ? "syncing, \(cached)" : plan)
        }
        let (time, remark) = (TimeInWords.ago(lastSuccess, now: now), note.map { ": \(phrase($0))" } ?? "")
        let hasNoneShown = jokes.cached > 0 && jokes.shown == 0
        // The built-in configuration excludes unrated jokes, such as Debian's fortunes.
        let advice =
            jokes.unrated == jokes.cached
            ? "They are unrated. If you trust the source: jokesctl source set \(name) --safety safe"
            : "The filter excludes them, or they are hidden or duplicates. Check \"filter\" in the configuration."
        return Diagnostic(
            .source, of: name, .ok, "ok \(time), \(cached)\(hasNoneShown ? ", none shown" : "")\(remark)",
            advice: hasNoneShown ? advice : nil)
    }
}
