import CCurl
package import Unix

/// Fetches over HTTP, any number of requests at once, on the thread of an event loop.
///
/// With no request under way it asks the loop for nothing: connections are kept, but neither watched nor timed. The loop
/// runs for as long as the client is used.
package actor HTTPClient {
    private struct Running {
        let transfer: Transfer
        let pool: ConnectionPool
        /// Nil while the transfer is paused.
        var alarm: TimerQueue.Token?
        var deadline: BootInstant
        /// When the transfer was paused.
        var pausedAt: BootInstant?
        let validators: Validators
        let caller: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    }

    private let loop: EventLoop
    private let userAgent: String
    private let proxies: ProxySettings
    /// Two, by whether a request may connect to local addresses: a connection to a private address that one source may have must
    /// not be there for another to use.
    private var pools: [Bool: ConnectionPool] = [:]
    private var running: [Transfer.ID: Running] = [:]
    private var lastID: Transfer.ID = 0

    private let longBodies = LongBodyQueue()

    /// What time it is by those who answered.
    package private(set) var serverClocks = ServerClocks()

    private static let idleConnections = 8

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// A client that gives itself out as the user agent, `jokesd/1.0 (+contact)`, where a request names none.
    ///
    /// The process ignores SIGPIPE: libcurl is told to leave signals alone.
    package init(loop: EventLoop, userAgent: String, proxies: ProxySettings) {
        self.loop = loop
        self.userAgent = userAgent
        self.proxies = proxies
    }

    // On the loop, whose watches and timers the pools give back.
    isolated deinit {
        pools = [:]
    }

    /// True where nothing will wake the loop for this client's sake.
    package var isIdle: Bool {
        running.isEmpty && pools.values.allSatisfy(\.isIdle)
    }

    /// The number of bytes of the longest body under way.
    package var longestBody: Int {
        running.values.map(\.transfer.body.count).max() ?? 0
    }

    /// The number of transfers that wait because another long body is in memory.
    package var pausedTransfers: Int {
        running.values.count { $0.pausedAt != nil }
    }

    /// Sends the request and follows its redirects, within the request's limits.
    ///
    /// An answer of any status is returned: what 404 or 429 mean is the caller's to say. Cancelling the task ends the
    /// transfer at once. A long body waits until those before it were released (`HTTPResponse.permission`); the wait does
    /// not count toward the time limit.
    package func fetch(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = BootInstant.now.advanced(by: request.limits.total)
        var trail = try RedirectTrail(request)
        while true {
            let response = try await send(request, along: trail, by: deadline).get()
            let isRedirect = try trail.follow(status: response.status, location: response.headers["Location"])
            if !isRedirect { return response }
        }
    }

    private func send(
        _ request: HTTPRequest, along trail: RedirectTrail, by deadline: BootInstant
    ) async -> Result<HTTPResponse, HTTPError> {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                begin(id, request, along: trail, by: deadline, for: caller)
            }
        } onCancel: {
            // Runs on the canceller's thread; what it ends belongs to the loop.
            loop.perform { self.assumeIsolated { $0.stop(id, .cancelled, "canceled") } }
        }
    }

    private func begin(
        _ id: Transfer.ID, _ request: HTTPRequest, along trail: RedirectTrail, by deadline: BootInstant,
        for caller: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    ) {
        do throws(HTTPError) {
            let place = trail.current
            // A cancellation from here on finds the transfer: it has to come to the loop first.
            if Task.isCancelled { throw HTTPError(.cancelled, place.redacted, "canceled") }
            let validators = trail.isAtFirstOrigin ? request.validators : Validators()
            let transfer = try Transfer(
                id: id,
                Transfer.Order(
                    location: place, headers: headers(of: request, along: trail, validators),
                    localAccess: trail.localAccess, limits: request.limits,
                    proxy: proxies.proxy(for: place)),
                longBodies)
            let pool = try pool(allowsLocal: trail.localAccess == .allowed, for: place)
            try pool.add(transfer)
            running[id] = Running(
                transfer: transfer, pool: pool, deadline: deadline, validators: validators, caller: caller)
            setAlarm(id)
        } catch {
            caller.resume(returning: .failure(error))
        }
    }

    private func headers(
        of request: HTTPRequest, along trail: RedirectTrail, _ validators: Validators
    ) -> HeaderFields {
        var headers = request.headers
        if !trail.isAtFirstOrigin { headers.keep(only: ["accept", "accept-language", "user-agent"]) }
        if headers["User-Agent"] == nil { headers["User-Agent"] = userAgent }
        headers["If-None-Match"] = validators.etag
        headers["If-Modified-Since"] = validators.lastModified
        return headers
    }

    private func pool(allowsLocal: Bool, for place: Location) throws(HTTPError) -> ConnectionPool {
        if let pool = pools[allowsLocal] { return pool }
        let pool = try ConnectionPool(
            for: place.redacted, loop: loop, idleConnections: Self.idleConnections,
            paused: { [weak self] id in self?.assumeIsolated { $0.suspendDeadline(id) } },
            finished: { [weak self] id, code in self?.assumeIsolated { $0.finish(id, code) } })
        pools[allowsLocal] = pool
        return pool
    }

    // MARK: Deadlines and pauses

    private func setAlarm(_ id: Transfer.ID) {
        guard let deadline = running[id]?.deadline, let limit = running[id]?.transfer.order.limits.total else { return }
        running[id]?.alarm = loop.schedule(at: deadline) { [weak self] in
            self?.assumeIsolated { $0.stop(id, .timeout, "the request took longer than \(limit)") }
        }
    }

    private func suspendDeadline(_ id: Transfer.ID) {
        if let alarm = running[id]?.alarm { loop.cancel(alarm) }
        running[id]?.alarm = nil
        running[id]?.pausedAt = .now
    }

    /// A long body is no longer in memory, or no longer wanted: the next transfer goes on.
    private func endTurn(of id: Transfer.ID) {
        guard let next = longBodies.leave(id), var resumed = running[next] else { return }
        if let pausedAt = resumed.pausedAt {
            resumed.deadline = resumed.deadline.advanced(by: pausedAt.duration(to: .now))
            resumed.pausedAt = nil
            running[next] = resumed
            setAlarm(next)
        }
        resumed.transfer.resume()
    }

    private func permission(of id: Transfer.ID) -> LongBodyPermission? {
        guard longBodies.holder == id else { return nil }
        return LongBodyPermission { [weak self, loop] in
            loop.perform { [weak self] in self?.assumeIsolated { $0.endTurn(of: id) } }
        }
    }

    private func stop(_ id: Transfer.ID, _ reason: HTTPError.Code, _ cause: String) {
        running[id]?.transfer.stop(reason, cause)
        finish(id, CURLE_ABORTED_BY_CALLBACK)
    }

    private func finish(_ id: Transfer.ID, _ code: CURLcode) {
        // Gone where a cancellation and the end of the transfer crossed each other.
        guard let ended = running.removeValue(forKey: id) else { return }
        if let alarm = ended.alarm { loop.cancel(alarm) }
        let permission = permission(of: id)
        if permission == nil { endTurn(of: id) }
        let outcome = ended.transfer.outcome(code, requestValidators: ended.validators, permission: permission)
        ended.pool.remove(ended.transfer)
        serverClocks.take(ended.transfer.headers, from: ended.transfer.order.location.host, at: .now)
        ended.caller.resume(returning: outcome)
    }
}
