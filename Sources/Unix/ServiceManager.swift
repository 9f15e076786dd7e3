import CLinux
import Glibc

/// The protocols between systemd and a service: sd_listen_fds(3) and sd_notify(3). They are small, so libsystemd is not
/// needed.
package enum ServiceManager {
    // MARK: Sockets

    /// Returns the sockets that were passed to this process, which owns them; none if it was started in another way.
    ///
    /// The name is `FileDescriptorName=` of the socket unit, or `unknown`. Removes the variables from the environment,
    /// because they are not for child processes. Call it once.
    package static func takePassedSockets() -> [(descriptor: Int32, name: String)] {
        let sockets = passedSockets(wholeEnvironment(), to: getpid())
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        for socket in sockets { _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) }
        return sockets
    }

    /// Returns the sockets of the variables; none if the variables are invalid.
    package static func passedSockets(
        _ variables: [String: String], to process: Int32
    ) -> [(descriptor: Int32, name: String)] {
        guard variables["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
        else { return [] }
        let names = variables["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        return (0..<count).map { index in
            let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : "unknown"
            return (firstPassed + index, name)
        }
    }

    private static let firstPassed: Int32 = 3

    // MARK: Watchdog

    /// The maximum interval of `WATCHDOG=1` messages; nil if the manager does not watch this process.
    package static var watchdogInterval: Duration? {
        watchdogInterval(wholeEnvironment(), of: getpid())
    }

    /// Returns the interval from the variables.
    package static func watchdogInterval(_ variables: [String: String], of process: Int32) -> Duration? {
        guard let interval = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), interval > 0 else { return nil }
        if let pid = variables["WATCHDOG_PID"], Int32(pid) != process { return nil }
        return .microseconds(interval)
    }
}
