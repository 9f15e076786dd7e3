import Unix

/// The isolation of everything on the service loop, as `MainActor` is for the main thread.
///
/// Components of the daemon have this isolation, so they call each other without `await`.
@globalActor
actor ServiceActor {
    static let shared = ServiceActor()

    /// Created with its first use.
    private static let created = Result { () throws(SystemError) in try EventLoop() }

    /// The loop that runs this actor, to be run by the main thread.
    ///
    /// - Throws: `SystemError` if the kernel has no descriptors left. The actor cannot be used then.
    static func loop() throws(SystemError) -> EventLoop {
        try created.get()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        switch Self.created {
        case .success(let loop): loop.asUnownedSerialExecutor()
        case .failure(let error): preconditionFailure("no service loop: \(error)")
        }
    }

    /// Calls the body, which is isolated to this actor, from a callback on the service loop. Traps on other threads.
    ///
    /// It is for closures that the compiler cannot know to be on the loop, as `MainActor.assumeIsolated` is.
    nonisolated static func assumeIsolated<Result: Sendable>(
        _ body: @ServiceActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body, to: (() throws -> Result).self)()
        }
    }
}
