package import JokesCore
package import JokesProtocol
package import Unix
import Varlink

/// Follows the daemon's snapshot across restarts of the daemon, and sends calls.
///
/// The event loop is its executor; other code on the loop enters it with `assumeIsolated`. Timers run only while the
/// daemon is unreachable or an answer is missing.
package actor DaemonFollower {
    package enum Event: Sendable {
        case connecting
        /// The current snapshot, and the reply with the change or with all pieces. Before a large first snapshot comes the
        /// beginning of each section, without a reply.
        case changed(JokeSnapshot, by: WatchMethod.Reply?)
        case unreachable(ClientError, retryAfter: Duration)
    }

    /// Calls the action once after the pause. Calling the result cancels the action.
    package typealias Schedule =
        @Sendable (_ pause: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private let loop: EventLoop
    private let paths: [String]
    private var view: View?
    private let handler: @Sendable (Event) -> Void
    private var followed = FollowedSnapshot()
    private var pauses = RetryPauses()
    private let schedule: Schedule
    /// Cancels the next attempt.
    private var cancelRetry: (@Sendable () -> Void)?
    /// Cancels the timeout of an answer.
    private var cancelTimeout: (@Sendable () -> Void)?
    /// True until the first snapshot of the stream is complete.
    private var awaitsSnapshot = false
    private var openCalls = 0
    /// True while the connections are closed because of a timeout.
    private var hasTimedOut = false
    /// The connection for `Watch` alone: replies come in the order of the calls.
    private var watchConnection: VarlinkConnection?
    /// The connection for calls, opened by the first one.
    private var callConnection: VarlinkConnection?
    /// The connections of the calls without a timeout.
    private var slowConnections: [ObjectIdentifier: VarlinkConnection] = [:]
    /// Grows with each attempt and loss; events of an earlier one are ignored.
    private var attempt = 0
    private var isClosed = false
    /// True if the beginning of an incomplete snapshot was passed on.
    private var hasShownBeginning = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A follower of the first path at which a daemon answers, which does nothing before `start`. The default view is
    /// that of the daemon, the default timers are those of the loop. The handler is called on the loop, never from
    /// within a method.
    package init(
        paths: [String], loop: EventLoop, view: View? = nil, schedule: Schedule? = nil,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        self.paths = paths
        self.loop = loop
        self.view = view
        self.schedule =
            schedule ?? { pause, action in
                let token = loop.schedule(at: .now.advanced(by: pause), action)
                return { loop.cancel(token) }
            }
        self.handler = handler
    }

    /// The maximum time without an answer when the first snapshot or an answer to `call` is due. Connecting to a
    /// stopped daemon succeeds, because the kernel accepts the connection.
    package static let timeout = Duration.seconds(10)

    package func start() { loop.atEndOfTurn { self.assumeIsolated { $0.connect() } } }

    /// Tries at once to reach an unreachable daemon, and after a failure begins again with short pauses.
    package func reconnect() {
        guard let cancelRetry else { return }
        pauses.reset()
        cancelRetry()
        self.cancelRetry = nil
        start()
    }

    /// Requests a view, also the same one again. Later snapshots are of this request; until the first one, the old
    /// snapshot stays, without a `connecting` event.
    package func follow(_ view: View?) {
        self.view = view
        guard let watchConnection else { return reconnect() }
        // Ignores later replies for the old view.
        attempt += 1
        self.watchConnection = nil
        watchConnection.close()
        loop.atEndOfTurn { self.assumeIsolated { $0.connect(isKnown: true) } }
    }

    /// Calls a method. The completion is called once, on the loop, after this method has returned.
    package func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        _ completion: @escaping @Sendable (Result<Method.Reply, ClientError>) -> Void
    ) {
        do throws(ClientError) {
            if callConnection == nil {
                callConnection = try open { [weak self] in self?.assumeIsolated { $0.callConnection = nil } }
            }
            callConnection?.call(method.fullName, parameters, returning: Method.Reply.self) { [weak self] result in
                let isTimeout = self?.assumeIsolated { $0.countAnswer() } ?? false
                completion(result.mapError { isTimeout ? .timedOut(after: Self.timeout) : ClientError($0) })
            }
            openCalls += 1
            startTimeout()
        } catch {
            loop.atEndOfTurn { completion(.failure(error)) }
        }
    }

    /// Calls a method with an answer that may take long, on a connection of its own and without a timeout. The
    /// call also fails if another answer times out, because a timeout closes all connections. The completion is called
    /// once, on the loop, after this method has returned.
    package func callWithoutTimeout<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        _ completion: @escaping @Sendable (Result<Method.Reply, ClientError>) -> Void
    ) {
        do throws(ClientError) {
            let connection = try open()
            let id = ObjectIdentifier(connection)
            slowConnections[id] = connection
            connection.call(method.fullName, parameters, returning: Method.Reply.self) { [weak self] result in
                self?.assumeIsolated { $0.slowConnections.removeValue(forKey: id) }?.close()
                completion(result.mapError { ClientError($0) })
            }
        } catch {
            loop.atEndOfTurn { completion(.failure(error)) }
        }
    }

    /// Closes the connections. The handler is not called again; waiting calls get an error.
    package func close() {
        isClosed = true
        attempt += 1
        cancelRetry?()
        cancelRetry = nil
        watchConnection?.close()
        callConnection?.close()
        for connection in slowConnections.values { connection.close() }
        stopTimeout()
    }

    // MARK: Following

    private func connect(isKnown: Bool = false) {
        guard !isClosed, watchConnection == nil else { return }
        attempt += 1
        do throws(ClientError) {
            watchConnection = try open()
            if !isKnown { handler(.connecting) }
            followed.begin()
            hasShownBeginning = false
            awaitsSnapshot = true
            startTimeout()
            watchConnection?.stream(
                WatchMethod.fullName, followed.parameters(view: view), returning: WatchMethod.Reply.self
            ) { [weak self, attempt] answer in
                self?.assumeIsolated { if attempt == $0.attempt { $0.handle(answer) } }
            }
        } catch {
            disconnect(error)
        }
    }

    private func handle(_ answer: VarlinkConnection.Answer<WatchMethod.Reply>) {
        defer { restartTimeout() }
        switch answer {
        case .continues(let reply):
            do throws(ClientError) {
                if let whole = try followed.take(reply) {
                    awaitsSnapshot = false
                    pauses.reset()
                    if let snapshot = followed.snapshot { handler(.changed(snapshot, by: whole)) }
                } else if !hasShownBeginning {
                    hasShownBeginning = true
                    if let beginning = try followed.beginning() { handler(.changed(beginning, by: nil)) }
                }
            } catch {
                followed.forget()
                disconnect(error)
            }
        case .last: disconnect(.broken(reason: "The daemon ended the stream."))
        case .failed(let error): disconnect(ClientError(error))
        }
    }

    private func disconnect(_ error: ClientError) {
        attempt += 1
        watchConnection?.close()
        watchConnection = nil
        awaitsSnapshot = false
        if openCalls == 0 { stopTimeout() }
        let pause = pauses.next(after: error, random: .random(in: 0..<1))
        cancelRetry = after(pause) { follower in
            follower.cancelRetry = nil
            follower.connect()
        }
        handler(.unreachable(error, retryAfter: pause))
    }

    /// Schedules an action. Calling the result cancels the action.
    private func after(
        _ pause: Duration, _ action: @escaping @Sendable (isolated DaemonFollower) -> Void
    ) -> @Sendable () -> Void {
        schedule(pause) { [weak self] in self?.assumeIsolated(action) }
    }

    // MARK: Timeout

    /// Starts the timeout if an answer is missing and the timeout is not running.
    ///
    /// It has two halves. If the first one ended while this process was stopped or the machine was asleep, the answer
    /// may be waiting in the socket.
    private func startTimeout() {
        guard cancelTimeout == nil, awaitsSnapshot || openCalls > 0 else { return }
        cancelTimeout = after(Self.timeout / 2) { follower in
            follower.cancelTimeout = follower.after(Self.timeout / 2) { $0.timeOut() }
        }
    }

    /// Restarts the timeout after any answer.
    private func restartTimeout() {
        stopTimeout()
        if !isClosed { startTimeout() }
    }

    private func stopTimeout() {
        cancelTimeout?()
        cancelTimeout = nil
    }

    private func timeOut() {
        cancelTimeout = nil
        hasTimedOut = true
        if cancelRetry == nil { disconnect(.timedOut(after: Self.timeout)) }
        callConnection?.close()
        callConnection = nil
        // Their calls end with an error.
        for connection in slowConnections.values { connection.close() }
        hasTimedOut = false
    }

    /// Counts the answer to a call. True if the call failed because of the timeout.
    private func countAnswer() -> Bool {
        openCalls -= 1
        if !hasTimedOut { restartTimeout() }
        return hasTimedOut
    }

    private func open(onClosed: @escaping @Sendable () -> Void = {}) throws(ClientError) -> VarlinkConnection {
        do throws(VarlinkError) {
            return try firstReached(of: paths) { path throws(VarlinkError) in
                try VarlinkConnection(to: path, on: VarlinkLoop(loop)) { _ in onClosed() }
            }
        } catch {
            throw ClientError(error)
        }
    }
}

/// The pauses between attempts to reach the daemon. They double from 0.5 s to 30 s, and are up to a quarter shorter or
/// longer, so that clients do not all return at once.
package struct RetryPauses {
    private var failures = 0

    package init() {}

    /// Returns the pause before the next attempt. `random` is at least 0 and less than 1.
    ///
    /// If the daemon cannot start, the pause is the longest at once: systemd gives up a unit that starts too often.
    package mutating func next(after error: ClientError? = nil, random: Double) -> Duration {
        if case .refused(.cannotStart) = error { failures = max(failures, 6) }
        let seconds = min(30, 0.5 * Double(1 << min(failures, 10)))
        failures += 1
        return .milliseconds(Int64(seconds * 1000 * (0.75 + random / 2)))
    }

    /// Begins again with the shortest pause.
    package mutating func reset() { failures = 0 }
}
