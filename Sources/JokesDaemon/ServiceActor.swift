import Unix

/// The isolation of everything on the service loop, as `MainActor` is for the main thread.
///
/// Components of the daemon have this isolation, so they call each other without `await`.
@globalActor
actor ServiceActor {
    static let shared = ServiceActor()

    private static let created = Result { () throws(SystemError) in try EventLoop() }

    /// The loop that runs this actor, to be run by the main thread. If it throws, the actor cannot be used.
    static func loop() throws(SystemError) -> EventLoop { try created.get() }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        switch Self.created {
        case .success(let loop): loop.asUnownedSerialExecutor()
        case .failure(let error): preconditionFailure("no service loop: \(error)")
        }
    }

    /// Calls the body from a callback on the service loop, as `MainActor.assumeIsolated` does. Traps on other threads.
    nonisolated static func assumeIsolated<Result: Sendable>(
        _ body: @ServiceActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body, to: (() throws -> Result).self)()
        }
    }
}
