package import Unix

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
