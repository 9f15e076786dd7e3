/// The systemd unit of a process.
package struct OwnUnit: Hashable, Sendable {
    package var name: String
    /// Whether it is a unit of a user's manager.
    package var isOfUser: Bool

    /// Reads the text of /proc/PID/cgroup; nil if it is not a service with this prefix: a program that was started by
    /// hand is in the unit of its shell.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - prefix: The prefix of the names of the program's units.
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

    /// Returns a command for the unit, such as `systemctl --user reload jokesd.service`.
    package func command(_ verb: String) -> String {
        isOfUser ? "systemctl --user \(verb) \(name)" : "sudo systemctl \(verb) \(name)"
    }
}
