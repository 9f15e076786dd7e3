import CCurl
package import Unix

/// Sends HTTP requests, any number at once, on the thread of an event loop.
///
/// Between requests, connections stay open without a watch or a timer, so an idle client causes no wake-ups.
package actor HTTPClient {
    private struct Running {
        let transfer: Transfer
        let pool: ConnectionPool
        var alarm: TimerQueue.Token?
        let validators: Validators
        let caller: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    }

    private let loop: EventLoop
    private let userAgent: String
    private let proxies: ProxySettings
    private let caFile: String?
    /// One pool for requests that may connect to local addresses, and one for the others, so they share no connections.
    private var pools: [Bool: ConnectionPool] = [:]
    private var running: [Transfer.ID: Running] = [:]
    private var lastID: Transfer.ID = 0

    private let longBodies = LongBodies()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A client with a User-Agent for requests that have none. The process must ignore SIGPIPE. `caFile` is the path of a PEM
    /// file with the certificate authorities to trust; nil for those of the system.
    package init(loop: EventLoop, userAgent: String, proxies: ProxySettings, caFile: String? = nil) {
        (self.loop, self.userAgent, self.proxies, self.caFile) = (loop, userAgent, proxies, caFile)
    }

    // On the loop, because the pools remove their watches and timers.
    isolated deinit { pools = [:] }

    /// True if the client causes no wake-ups of the loop.
    package var isIdle: Bool { running.isEmpty && pools.values.allSatisfy(\.isIdle) }

    /// The number of transfers that wait because another long body is in memory.
    package var pausedTransfers: Int { longBodies.waiting.count }

    /// Sends a request and follows its redirects, with the cookies that they set.
    ///
    /// Returns a response of any other status, such as 404. Canceling the task ends the transfer at once. A long body waits
    /// until earlier ones are released (`HTTPResponse.permission`). The time limit begins again after this wait.
    package func fetch(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = BootInstant.now.advanced(by: request.limits.total)
        var trail = try RedirectTrail(request)
        let cookies = try CookieJar(for: trail.current.redacted)
        while true {
            let response = try await send(request, along: trail, cookies, by: deadline).get()
            if try !trail.follow(status: response.status, location: response.headers["Location"]) { return response }
        }
    }

    private func send(
        _ request: HTTPRequest, along trail: RedirectTrail, _ cookies: CookieJar, by deadline: BootInstant
    ) async -> Result<HTTPResponse, HTTPError> {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                begin(id, request, along: trail, cookies, by: deadline, for: caller)
            }
        } onCancel: {
            // This runs on the thread of the caller, but the transfer belongs to the loop.
            loop.perform { self.assumeIsolated { $0.stop(id, .cancelled, "canceled") } }
        }
    }

    private func begin(
        _ id: Transfer.ID, _ request: HTTPRequest, along trail: RedirectTrail, _ cookies: CookieJar,
        by deadline: BootInstant, for caller: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    ) {
        do throws(HTTPError) {
            let url = trail.current
            // A later cancellation is a job of this loop, and finds the transfer.
            if Task.isCancelled { throw HTTPError(.cancelled, url.redacted, "canceled") }
            let validators = trail.isAtFirstOrigin ? request.validators : Validators()
            let transfer = try Transfer(
                id: id,
                Transfer.Request(
                    location: url, headers: headers(of: request, along: trail, validators),
                    localAccess: trail.localAccess, limits: request.limits, proxy: proxies.proxy(for: url),
                    cookies: cookies, caFile: caFile),
                longBodies)
            let pool = try pool(allowsLocal: trail.localAccess == .allowed, for: url)
            try pool.add(transfer)
            running[id] = Running(transfer: transfer, pool: pool, validators: validators, caller: caller)
            setAlarm(id, at: deadline)
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

    private func pool(allowsLocal: Bool, for url: Location) throws(HTTPError) -> ConnectionPool {
        if let pool = pools[allowsLocal] { return pool }
        let pool = try ConnectionPool(
            for: url.redacted, loop: loop,
            finished: { [weak self] id, code in self?.assumeIsolated { $0.finish(id, code) } })
        pools[allowsLocal] = pool
        return pool
    }

    // MARK: Ends and turns

    private func setAlarm(_ id: Transfer.ID, at deadline: BootInstant) {
        running[id]?.alarm = loop.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.timeOut(id) } }
    }

    private func timeOut(_ id: Transfer.ID) {
        guard let limit = running[id]?.transfer.request.limits.total else { return }
        running[id]?.alarm = nil
        // The limit begins again with the turn of the transfer.
        if longBodies.waiting.contains(id) { return }
        stop(id, .timeout, "the request took longer than \(limit)")
    }

    /// Resumes the next transfer, after a long body was released or its transfer has ended.
    private func endTurn(of id: Transfer.ID) {
        guard let next = longBodies.leave(id), var resumed = running[next] else { return }
        loop.cancel(&resumed.alarm)
        setAlarm(next, at: .now.advanced(by: resumed.transfer.request.limits.total))
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
        // A cancellation may come just after the end of the transfer.
        guard var ended = running.removeValue(forKey: id) else { return }
        loop.cancel(&ended.alarm)
        let permission = permission(of: id)
        if permission == nil { endTurn(of: id) }
        let outcome = Result { () throws(HTTPError) in
            try ended.transfer.response(code, requestValidators: ended.validators, permission: permission)
        }
        ended.pool.remove(ended.transfer)
        ended.caller.resume(returning: outcome)
    }
}
