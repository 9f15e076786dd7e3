import Unix

/// The global actor of the service loop, as `MainActor` is the global actor of the main thread.
///
/// The components of the daemon are isolated to this actor, so they call each other without `await`.
@globalActor
actor ServiceActor {
    static let shared = ServiceActor()

    private static let loopResult = Result { () throws(SystemError) in try EventLoop() }

    /// Returns the loop of this actor, which the main thread must run.
    ///
    /// - Throws: The error of the system if the loop could not be created. Do not use the actor then.
    static func loop() throws(SystemError) -> EventLoop { try loopResult.get() }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        switch Self.loopResult {
        case .success(let loop): loop.asUnownedSerialExecutor()
        case .failure(let error): preconditionFailure("no service loop: \(error)")
        }
    }

    /// Calls the body from a callback on the service loop, as `MainActor.assumeIsolated` does. Traps on other threads.
    nonisolated static func assumeIsolated<Result: Sendable>(
        _ body: @ServiceActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // Removes the isolation from the type of the body, as `MainActor.assumeIsolated` does. The
        // precondition above has checked the isolation.
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body, to: (() throws -> Result).self)()
        }
    }
}
