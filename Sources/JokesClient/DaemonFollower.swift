package import JokesCore
package import JokesProtocol
package import Unix
import Varlink

/// Follows the daemon's picture for as long as it lives, across restarts of the daemon, and carries calls to it.
///
/// Lives on a loop: an actor whose executor that loop is, entered from others on it by `assumeIsolated`. It wakes only
/// for what comes, for the next attempt while the daemon is away, and where an answer that is owed does not come.
package actor DaemonFollower {
    package enum Event: Sendable {
        /// Somebody answers, and is asked for the picture.
        case connecting
        /// The picture as it is now; of a large one that comes for the first time, the beginning of each section first.
        case changed(JokeSnapshot)
        /// The daemon cannot be reached or followed; it is tried again after the pause.
        case away(ClientError, retryAfter: Duration)
    }

    private let loop: EventLoop
    private let paths: [String]
    private var view: Wire.View?
    private let handler: @Sendable (Event) -> Void
    private var picture = FollowedPicture()
    private var pauses = RetryPauses()
    private let timers: FollowerTimers
    /// Cancels the next attempt; nil while none waits.
    private var retry: (@Sendable () -> Void)?
    /// Cancels the wait for an answer; nil while none is owed.
    private var silence: (@Sendable () -> Void)?
    /// Whether the picture of the stream is not whole yet.
    private var isPictureOwed = false
    private var callsOwed = 0
    /// Whether what is owed is answered by this side.
    private var hasGivenUp = false
    /// The stream of `Watch`. Nothing else is asked there: replies come in the order of the calls.
    private var watching: VarlinkConnection?
    /// For calls; made when the first one is.
    private var asking: VarlinkConnection?
    /// Counts attempts and losses: what is said of an earlier one counts no more.
    private var attempt = 0
    private var isClosed = false
    /// Whether some of a picture is shown: the rest follows at once, and is shown when it is whole.
    private var showsBeginning = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A follower of the daemon at the first of the paths where one answers; it does nothing until `start`.
    ///
    /// Without a view it sees what the daemon chooses. The handler is called on the loop, never from within a method.
    /// Without timers it has those of the loop.
    package init(
        paths: [String], loop: EventLoop, view: Wire.View? = nil, timers: FollowerTimers? = nil,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        self.paths = paths
        self.loop = loop
        self.view = view
        self.timers = timers ?? .of(loop)
        self.handler = handler
    }

    /// So long at least a daemon that owes an answer may be silent: then it is taken for one that is away. It may have been
    /// stopped, and the kernel still takes calls for it.
    package static let patience = Duration.seconds(10)

    /// Begins to follow.
    package func start() {
        loop.atEndOfTurn { self.assumeIsolated { $0.connect() } }
    }

    /// Tries at once to reach a daemon that is away, and where that fails, again after pauses that begin short: somebody
    /// is waiting for it.
    package func reconnect() {
        guard let retry else { return }
        pauses.reset()
        retry()
        self.retry = nil
        start()
    }

    /// Follows another view from now on.
    ///
    /// The daemon is asked at once, for what differs from the picture that is here. Until that comes it stays as it is,
    /// and nobody is told of the connection that is made for it. What is told after this is of the view, or of one that
    /// is followed after it.
    package func follow(_ view: Wire.View?) {
        guard view != self.view else { return }
        self.view = view
        guard let watching else { return reconnect() }
        // What the daemon still says of the view before counts no more.
        attempt += 1
        self.watching = nil
        watching.close()
        loop.atEndOfTurn { self.assumeIsolated { $0.connect(isKnown: true) } }
    }

    /// Calls a method; the completion is called once, on the loop, not from within.
    package func call<Method: JokesMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters,
        _ completion: @escaping @Sendable (Result<Method.Reply, ClientError>) -> Void
    ) {
        do throws(ClientError) {
            if asking == nil {
                asking = try open { [weak self] in self?.assumeIsolated { $0.asking = nil } }
            }
            asking?.call(method.fullName, parameters, returning: Method.Reply.self) { [weak self] result in
                let isSilent = self?.assumeIsolated { $0.takeAnswer() } ?? false
                completion(result.mapError { isSilent ? .silent(for: Self.patience) : ClientError($0) })
            }
            callsOwed += 1
            awaitAnswer()
        } catch {
            loop.atEndOfTurn { completion(.failure(error)) }
        }
    }

    /// Ends it: the handler is not called after this; calls that wait are answered with an error.
    package func close() {
        isClosed = true
        attempt += 1
        retry?()
        retry = nil
        watching?.close()
        asking?.close()
        stopWaiting()
    }

    // MARK: Following

    /// `isKnown` where the daemon answers already, and is only asked for another view.
    private func connect(isKnown: Bool = false) {
        guard !isClosed, watching == nil else { return }
        attempt += 1
        do throws(ClientError) {
            watching = try open()
            if !isKnown { handler(.connecting) }
            picture.begin()
            showsBeginning = false
            isPictureOwed = true
            awaitAnswer()
            watching?.stream(
                WatchMethod.fullName, picture.parameters(view: view), returning: WatchMethod.Reply.self
            ) { [weak self, attempt] answer in
                self?.assumeIsolated { if attempt == $0.attempt { $0.take(answer) } }
            }
        } catch {
            lose(error)
        }
    }

    private func take(_ answer: VarlinkConnection.Answer<WatchMethod.Reply>) {
        defer { hear() }
        switch answer {
        case .continues(let reply):
            do throws(ClientError) {
                if try picture.take(reply) != nil {
                    isPictureOwed = false
                    pauses.reset()
                    if let snapshot = picture.snapshot { handler(.changed(snapshot)) }
                } else if !showsBeginning {
                    showsBeginning = true
                    if let beginning = try picture.beginning() { handler(.changed(beginning)) }
                }
            } catch {
                picture.forget()
                lose(error)
            }
        case .last: lose(.broken(reason: "The daemon ended the stream."))
        case .failed(let error): lose(ClientError(error))
        }
    }

    /// Lets go of the stream and sees to the next attempt.
    private func lose(_ error: ClientError) {
        attempt += 1
        watching?.close()
        watching = nil
        isPictureOwed = false
        if callsOwed == 0 { stopWaiting() }
        let pause = pauses.next(after: error, random: .random(in: 0..<1))
        retry = timers.schedule(pause) { [weak self] in
            self?.assumeIsolated { follower in
                follower.retry = nil
                follower.connect()
            }
        }
        handler(.away(error, retryAfter: pause))
    }

    // MARK: Silence

    /// Waits for an answer where one is owed. One that is waited for already is not given more time.
    private func awaitAnswer() {
        guard silence == nil, isPictureOwed || callsOwed > 0 else { return }
        silence = timers.schedule(Self.patience / 2) { [weak self] in self?.assumeIsolated { $0.awaitLonger() } }
    }

    /// The other half of the wait. Where the first one ended while this process was stopped, or the machine asleep, there
    /// may be an answer that nobody has read, or a daemon that had no time.
    private func awaitLonger() {
        silence = timers.schedule(Self.patience / 2) { [weak self] in self?.assumeIsolated { $0.giveUp() } }
    }

    /// The daemon has said something: what it still owes has time again.
    private func hear() {
        stopWaiting()
        if !isClosed { awaitAnswer() }
    }

    private func stopWaiting() {
        silence?()
        silence = nil
    }

    private func giveUp() {
        silence = nil
        hasGivenUp = true
        if retry == nil { lose(.silent(for: Self.patience)) }
        asking?.close()
        asking = nil
        hasGivenUp = false
    }

    /// Takes note of the answer to a call, and says whether there is none because there was no time left.
    private func takeAnswer() -> Bool {
        callsOwed -= 1
        if !hasGivenUp { hear() }
        return hasGivenUp
    }

    /// A connection to the first path where somebody answers.
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

/// The timers of a `DaemonFollower`: those of its loop, or of a test, which lets time pass by hand.
package struct FollowerTimers: Sendable {
    /// Calls the action once on the follower's loop after the time, unless what it returns is called before.
    ///
    /// Both are called on the loop.
    package let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void

    package init(schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void) {
        self.schedule = schedule
    }

    /// Those of the loop.
    package static func of(_ loop: EventLoop) -> FollowerTimers {
        FollowerTimers { pause, action in
            let token = loop.schedule(at: .now.advanced(by: pause), action)
            return { loop.cancel(token) }
        }
    }
}
