import Glibc

/// Reads the environment variables that systemd passes to a service, as sd_listen_fds(3) and sd_watchdog_enabled(3) do,
/// without libsystemd.
package enum ServiceManager {
    /// Returns the sockets that were passed to this process, which owns them; none if it was started in another way.
    ///
    /// The name is `FileDescriptorName=` of the socket unit, or `unknown`. Removes the variables from the environment,
    /// because they are not for child processes. Call it once.
    package static func takePassedSockets() -> [(descriptor: Int32, name: String)] {
        let sockets = passedSockets(environmentVariables(), to: getpid())
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
            // SD_LISTEN_FDS_START
            return (3 + index, name)
        }
    }

    /// The maximum interval of `WATCHDOG=1` messages; nil if the manager does not watch this process.
    package static var watchdogInterval: Duration? { watchdogInterval(environmentVariables(), of: getpid()) }

    /// Returns the interval from the variables.
    package static func watchdogInterval(_ variables: [String: String], of process: Int32) -> Duration? {
        guard let interval = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), interval > 0 else { return nil }
        if let pid = variables["WATCHDOG_PID"], Int32(pid) != process { return nil }
        return .microseconds(interval)
    }
}

/// The systemd unit of a process.
package struct OwnUnit: Hashable, Sendable {
    package var name: String
    /// True if it is a unit of a user's manager.
    package var isOfUser: Bool

    /// Reads the text of /proc/PID/cgroup; nil if it is not a service whose name has the prefix: a program that was
    /// started by hand is in the unit of its shell.
    package init?(cgroup text: String, prefix: String) {
        // Each line has a number, controllers and a path. systemd's is number 0, or has the controller `name=systemd`.
        let paths = text.split(separator: "\n").compactMap { line -> Substring? in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 && (parts[1].isEmpty || parts[1] == "name=systemd") ? parts[2] : nil
        }
        let found = paths.lazy.map { $0.split(separator: "/") }.first { $0.last?.hasSuffix(".service") == true }
        guard let found, let last = found.last, last.hasPrefix(prefix) else { return nil }
        name = String(last)
        isOfUser = found.dropLast().contains { $0.hasPrefix("user@") }
    }

    /// Returns the unit of this process.
    package static func ofThisProcess(prefix: String) -> OwnUnit? {
        guard let bytes = try? contentsOfFile("/proc/self/cgroup", limit: 1 << 16) else { return nil }
        return OwnUnit(cgroup: String(decoding: bytes, as: UTF8.self), prefix: prefix)
    }

    /// Returns a command for the unit, such as `systemctl --user reload radio.service`.
    package func command(_ verb: String) -> String {
        isOfUser ? "systemctl --user \(verb) \(name)" : "sudo systemctl \(verb) \(name)"
    }
}
