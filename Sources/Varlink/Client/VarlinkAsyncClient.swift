import Unix

/// A client for programs with async/await, over a `VarlinkConnection`.
///
/// Its methods may be called by any task. Calls are sent at once and answered in their order, so use another client for
/// calls during a stream. The loop must run. The connection is closed when the client and its streams are freed.
public final class VarlinkAsyncClient: Sendable {
    private let connection: VarlinkConnection
    private let loop: EventLoop

    /// Connects to a service. The parameters are those of `VarlinkConnection`.
    ///
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public convenience init(
        connectingTo address: String, on loop: VarlinkLoop, replyLimit: Int = 16 << 20
    ) async throws {
        try await self.init(on: loop) { () throws(VarlinkError) in
            try VarlinkConnection(to: address, on: loop, replyLimit: replyLimit)
        }
    }

    /// Uses a Unix stream socket that is connected to a service, and owns it.
    ///
    /// - Throws: `VarlinkError.system` if it is another kind of descriptor. It is closed then.
    public convenience init(
        adopting descriptor: Int32, on loop: VarlinkLoop, replyLimit: Int = 16 << 20
    ) async throws {
        try await self.init(on: loop) { () throws(VarlinkError) in
            try VarlinkConnection(adopting: descriptor, on: loop, replyLimit: replyLimit)
        }
    }

    private init(
        on loop: VarlinkLoop, _ make: @escaping @Sendable () throws(VarlinkError) -> VarlinkConnection
    ) async throws {
        self.loop = loop.events
        connection = try await withCheckedThrowingContinuation { continuation in
            loop.perform { continuation.resume(with: Result(catching: make)) }
        }
    }

    deinit { loop.perform { [connection] in connection.close() } }

    /// Calls a method and waits for its reply.
    ///
    /// The end of the wait, by `timeout` or by the cancellation of the task, does not end the call: its reply is ignored
    /// when it arrives, and the client can be used further. Without a timeout, it waits indefinitely.
    /// - Throws: `VarlinkError`; `.refused` if the service replies with an error; `CancellationError`.
    public func call<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable = NoParameters(),
        returning type: Reply.Type = Reply.self, timeout: Duration? = nil
    ) async throws -> Reply {
        try Task.checkCancellation()
        let (replies, continuation) = AsyncThrowingStream<Reply, any Error>.makeStream()
        let deadline = Deadline(on: loop, after: timeout) { continuation.finish(throwing: VarlinkError.timedOut) }
        loop.perform { [connection] in
            deadline.start()
            connection.call(method, parameters, returning: type) { result in
                deadline.stop()
                continuation.yield(with: result.mapError { $0 as any Error })
            }
        }
        for try await reply in replies { return reply }
        throw CancellationError()
    }

    /// Calls a method that may send several replies. The call is sent when the first reply is requested.
    ///
    /// The service waits while the program does not request the next reply: at most one is queued. The connection is
    /// closed if the task is canceled, if the stream is freed before its end, and if a reply does not arrive within
    /// `timeout` after its request.
    /// - Returns: The replies. They end with a `VarlinkError` if the call fails.
    public func stream<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable = NoParameters(),
        returning type: Reply.Type = Reply.self, timeout: Duration? = nil
    ) -> AsyncThrowingStream<Reply, any Error> {
        let (replies, continuation) = AsyncThrowingStream<Reply, any Error>.makeStream()
        let deadline = Deadline(on: loop, after: timeout) { [connection] in
            continuation.finish(throwing: VarlinkError.timedOut)
            connection.close()
        }
        continuation.onTermination = { [loop, connection] reason in
            guard case .cancelled = reason else { return }
            loop.perform {
                deadline.end()
                // Before the end of the connection, which is an error.
                continuation.finish()
                connection.close()
            }
        }
        let begin = { @Sendable in
            // Each callback retains the client, whose end would close the connection.
            self.connection.stream(method, parameters, returning: type) { answer in
                deadline.stop()
                switch answer {
                case .continues(let reply):
                    continuation.yield(reply)
                    self.connection.isPaused = true
                case .last(let reply):
                    deadline.end()
                    continuation.yield(reply)
                    continuation.finish()
                case .failed(let error):
                    deadline.end()
                    continuation.finish(throwing: error)
                }
            }
        }
        return AsyncThrowingStream(unfolding: { [loop, connection] in
            loop.perform {
                if deadline.start() { begin() }
                connection.isPaused = false
            }
            for try await reply in replies { return reply }
            return nil
        })
    }

    /// Calls a method without a reply, not even an error. Returns when the call is queued.
    ///
    /// - Throws: `VarlinkError.disconnected` if the connection has ended, `.unencodable`.
    public func callOneway(
        _ method: String, _ parameters: some Encodable & Sendable = NoParameters()
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            loop.perform { [connection] in
                continuation.resume(with: Result { try connection.callOneway(method, parameters) })
            }
        }
    }
}

/// The time for each requested reply of a call.
///
/// `@unchecked Sendable`: its methods are called on the loop.
private final class Deadline: @unchecked Sendable {
    private let loop: EventLoop
    private let timeout: Duration?
    private let action: @Sendable () -> Void
    private var timer: TimerQueue.Token?
    private var isFirst = true
    private var hasEnded = false

    init(on loop: EventLoop, after timeout: Duration?, _ action: @escaping @Sendable () -> Void) {
        (self.loop, self.timeout, self.action) = (loop, timeout, action)
    }

    /// Starts the time for the next reply. Returns true for the first one.
    @discardableResult
    func start() -> Bool {
        stop()
        defer { isFirst = false }
        if !hasEnded { timer = timeout.map { loop.schedule(at: .now.advanced(by: $0), action) } }
        return isFirst
    }

    func stop() { loop.cancel(&timer) }

    /// No more replies follow: a request after the last one has no time limit.
    func end() {
        stop()
        hasEnded = true
    }
}
