import CLinux
import Glibc

/// What systemd passes to a service and hears from it: sd_listen_fds(3) and sd_notify(3), which are small public
/// protocols and are spoken without libsystemd.
package enum ServiceManager {
    // MARK: Sockets

    /// The sockets passed to this process, which owns them from here on; none where it was started otherwise.
    ///
    /// The name is `FileDescriptorName=` of the socket unit, or `unknown`. Takes the variables out of the environment, so
    /// that no child believes they are its own. Call it once.
    package static func takePassedSockets() -> [(descriptor: Int32, name: String)] {
        let sockets = passedSockets(wholeEnvironment(), to: getpid())
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        for socket in sockets { _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) }
        return sockets
    }

    /// The sockets that the variables say were passed to the process; none where they make no sense.
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

    /// How often the manager wants to hear `WATCHDOG=1` at the latest; nil where it does not watch this process.
    package static var watchdogInterval: Duration? {
        watchdogInterval(wholeEnvironment(), of: getpid())
    }

    /// The interval that the variables set for the process.
    package static func watchdogInterval(_ variables: [String: String], of process: Int32) -> Duration? {
        guard let interval = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), interval > 0 else { return nil }
        if let pid = variables["WATCHDOG_PID"], Int32(pid) != process { return nil }
        return .microseconds(interval)
    }
}
