package import Unix

/// An event loop: the thread of services and client connections.
///
/// Handlers and callbacks are called on it. They enter an actor with `assumeIsolated` if it has this executor:
/// `nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }`
public struct VarlinkLoop: Sendable {
    package let events: EventLoop

    /// Creates a loop. Call `run` or `start` to run it.
    public init() throws(VarlinkError) { events = try VarlinkError.converting(try EventLoop()) }

    /// Wraps a loop that the program already has.
    package init(_ events: EventLoop) { self.events = events }

    /// The executor of actors on this loop.
    public var executor: any SerialExecutor { events }

    /// Runs the loop on the calling thread until `stop`.
    public func run() { events.run() }

    /// Runs the loop on its own thread, whose name has at most 15 bytes.
    public func start(name: String = "varlink") throws(VarlinkError) {
        try VarlinkError.converting(try events.start(name: name))
    }

    /// Ends the loop. It cannot run again. Callable from any thread.
    public func stop() { events.stop() }

    /// Calls the action on the loop. Callable from any thread.
    public func perform(_ action: @escaping @Sendable () -> Void) { events.perform(action) }
}

extension VarlinkError {
    init(_ error: SystemError) { self = .system(reason: error.description, errno: error.code) }

    /// Returns the result of the call, or throws its error as `.system`.
    static func converting<Result: ~Copyable>(
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(VarlinkError) -> Result {
        do throws(SystemError) {
            return try call()
        } catch {
            throw VarlinkError(error)
        }
    }
}
