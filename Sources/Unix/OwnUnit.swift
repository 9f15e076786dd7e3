/// The unit of systemd that a process is the service of.
package struct OwnUnit: Hashable, Sendable {
    package var name: String
    /// Whether a user's own manager has it, and not the system's.
    package var isOfUser: Bool

    /// From what /proc/PID/cgroup says; nil where that is no service whose name begins so: a program that was started by
    /// hand is in the unit of whoever started it.
    ///
    /// - Parameters:
    ///   - text: What it says.
    ///   - prefix: How the names of the program's own units begin.
    package init?(cgroup text: String, prefix: String) {
        // A line for each hierarchy: number, controllers, path. systemd's own is 0, or called so.
        let paths = text.split(separator: "\n").compactMap { line -> Substring? in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 && (parts[1].isEmpty || parts[1] == "name=systemd") ? parts[2] : nil
        }
        let found = paths.lazy.map { $0.split(separator: "/") }.first { $0.last?.hasSuffix(".service") == true }
        guard let found, let last = found.last, last.hasPrefix(prefix) else { return nil }
        name = String(last)
        isOfUser = found.dropLast().contains { $0.hasPrefix("user@") }
    }

    /// Of this process.
    package static func ofThisProcess(prefix: String) -> OwnUnit? {
        guard let bytes = try? contentsOfFile("/proc/self/cgroup", limit: 1 << 16) else { return nil }
        return OwnUnit(cgroup: String(decoding: bytes, as: UTF8.self), prefix: prefix)
    }

    /// The command that has systemd do that with it: `systemctl --user reload jokesd.service`.
    package func command(_ verb: String) -> String {
        isOfUser ? "systemctl --user \(verb) \(name)" : "sudo systemctl \(verb) \(name)"
    }
}
