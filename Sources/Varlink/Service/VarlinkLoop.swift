package import Unix

/// The one thread on which a service or a client connection lives, asleep until something happens.
///
/// Handlers and callbacks are called on it. An actor that is to be entered from them without a hop makes it its
/// executor: `nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }`,
/// and is entered by `assumeIsolated`.
public struct VarlinkLoop: Sendable {
    package let events: EventLoop

    /// A new loop, which does nothing until `run` or `start`.
    public init() throws(VarlinkError) {
        do throws(SystemError) {
            events = try EventLoop()
        } catch {
            throw VarlinkError(error)
        }
    }

    /// The loop of a program that has one.
    package init(_ events: EventLoop) {
        self.events = events
    }

    /// Runs the jobs of actors that live on the loop.
    public var executor: any SerialExecutor { events }

    /// Runs the loop on the calling thread until `stop`.
    public func run() {
        events.run()
    }

    /// Runs the loop on a thread of its own, whose name has at most 15 bytes.
    public func start(name: String = "varlink") throws(VarlinkError) {
        do throws(SystemError) {
            try events.start(name: name)
        } catch {
            throw VarlinkError(error)
        }
    }

    /// Ends the loop, from any thread; it cannot run again.
    public func stop() {
        events.stop()
    }

    /// Calls the action on the loop, from any thread.
    public func perform(_ action: @escaping @Sendable () -> Void) {
        events.perform(action)
    }
}

extension VarlinkError {
    init(_ error: SystemError) {
        self = .system(reason: error.description, errno: error.code)
    }
}
