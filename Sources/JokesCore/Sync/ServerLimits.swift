/// A server on the network: scheme, host and port.
package struct Server: Hashable, Sendable {
    private let scheme: Substring
    /// The host, with the port unless it is that of the scheme, as people write it.
    package let name: String

    init(url: String) {
        let text = url.lowercased()
        scheme = text.prefix { $0 != ":" }
        let host = text.dropFirst(scheme.count).drop { ":/".contains($0) }.prefix { !"/?#".contains($0) }
        let port = scheme == "http" ? ":80" : ":443"
        name = String(host.hasSuffix(port) ? host.dropLast(port.count) : host)
    }
}

/// What a server allows. Its sources, probes and tests share it. Times are on the boot-time clock.
struct ServerLimits {
    /// The longest pause that a server can ask for.
    static let longestPause: Duration = .seconds(86_400)

    /// The requests that the rates of all its sources allow; nil for no rate.
    private var allowance: RequestAllowance?
    /// True if a request waits until the previous one has ended. A server of the local network needs no such care.
    private var isOneAtATime = true
    private var isBusy = false
    /// The end of the pause that the server has asked for.
    private var pausedUntil: Duration = .zero
    /// The URL whose answer has asked for the last pause.
    private var pausedURL: String?
    /// The end of the minimum pause after a probe.
    private var probedUntil: Duration = .zero

    /// The limits of an unused server. The rates of all its sources are kept.
    init(of sources: [SourceConfiguration]) {
        isOneAtATime = !sources.allSatisfy(\.allowLocalNetwork)
        allowance = sources.compactMap(\.allowedRate).reduce(nil) { $0?.keeping($1) ?? RequestAllowance($1) }
    }

    /// Adopts other sources.
    mutating func adopt(_ sources: [SourceConfiguration], at now: Moment) {
        let new = ServerLimits(of: sources)
        let used = allowance
        (isOneAtATime, allowance) = (new.isOneAtATime, new.allowance)
        if let used { allowance?.use(until: used.resetAt, at: now.sinceBoot) }
    }

    /// Counts the requests and the pause that an earlier daemon has stored. If the clock was set back, nothing is left of
    /// the allowance, so that the rate is never exceeded.
    mutating func resume(_ state: SourceState, at now: Moment) {
        if let resetAt = state.rateLimitResetAt {
            allowance?.use(
                until: now.sinceBoot + resetAt.timeSince(now.wall) + .microseconds(1), at: now.sinceBoot)
        }
        let pause = state.retryAfter?.timeSince(now.wall) ?? .zero
        if pause <= Self.longestPause { pausedUntil = max(pausedUntil, now.sinceBoot + pause) }
    }

    /// Writes what the next daemon must know. Times are truncated to microseconds when they are stored, and must not be too
    /// early.
    func store(in state: inout SourceState, at now: Moment) {
        let stored = { (time: Duration) in
            time > now.sinceBoot ? now.wall.advanced(by: time - now.sinceBoot + .microseconds(1)) : nil
        }
        state.rateLimitResetAt = stored(allowance?.resetAt ?? .zero)
        state.retryAfter = stored(pausedUntil)
    }

    /// The time of the next sync or probe.
    var allowedAt: Duration { max(pausedUntil, probedUntil, allowance?.nextAt ?? .zero) }

    /// True if no earlier request matters any more.
    func isUnused(at time: Duration) -> Bool {
        !isBusy && allowedAt <= time && allowance?.resetAt ?? .zero <= time
    }

    /// The time when a paused sync continues: all requests of the rate are allowed again.
    var fullAt: Duration { max(allowedAt, allowance?.resetAt ?? .zero) }

    func requestsLeft(at now: Moment) -> Int? { allowance?.left(at: now.sinceBoot) }

    /// Returns the end of the pause for a probe: none if its URL is not the one that was refused.
    private func pauseEnd(ofNew url: String?) -> Duration { url == pausedURL ? pausedUntil : .zero }

    /// Returns why the server forbids a sync until a time; nil if it has not asked for a pause until then.
    func pauseReason(until time: Duration, _ server: Server, at now: Moment) -> String? {
        guard time == pausedUntil, case .after(_, let reason)? = wait(until: time, for: server, at: now) else {
            return nil
        }
        return reason
    }

    /// Begins a probe, if nothing forbids it.
    mutating func startProbe(
        of source: SourceConfiguration, isNew: Bool, to server: Server, at now: Moment
    ) -> RequestAnswer {
        let pause = isNew ? pauseEnd(ofNew: source.url) : pausedUntil
        if let wait = wait(until: max(pause, probedUntil, allowance?.nextAt ?? .zero), for: server, at: now) {
            return wait
        }
        probedUntil = now.sinceBoot + source.minPause
        return .admitted
    }

    /// Returns whether a request may be sent now, and counts it until `requestEnded`. `isNew` is true for a probe of a URL
    /// that no source has.
    mutating func admitRequest(
        of source: SourceConfiguration, isNew: Bool, to server: Server, at now: Moment
    ) -> RequestAnswer {
        if isBusy && isOneAtATime { return .busy }
        let pause = isNew ? pauseEnd(ofNew: source.url) : pausedUntil
        if let wait = wait(until: max(pause, allowance?.nextAt ?? .zero), for: server, at: now) { return wait }
        allowance?.take(at: now.sinceBoot)
        isBusy = true
        return .admitted
    }

    /// Returns the wait until a time, with its reason; nil if the time has passed.
    private func wait(until time: Duration, for server: Server, at now: Moment) -> RequestAnswer? {
        let wait = time - now.sinceBoot
        if wait <= .zero { return nil }
        let length = TimeInWords.length(max(wait, .seconds(1)))
        let isAsked = time == pausedUntil
        return .after(
            wait, reason: "\(server.name) \(isAsked ? "asked to wait" : "gets the next request in") \(length)")
    }

    /// Notes the end of a request, and the pause that its answer asks for.
    mutating func requestEnded(of source: SourceConfiguration, retryAfter: Duration?, at now: Moment) {
        isBusy = false
        guard let retryAfter, retryAfter > .zero else { return }
        pausedUntil = max(pausedUntil, now.sinceBoot + min(retryAfter, Self.longestPause))
        pausedURL = source.url
    }
}
