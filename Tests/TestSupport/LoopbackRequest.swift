/// A request as a `LoopbackServer` received it.
package struct LoopbackRequest: Sendable {
    /// Counts the server's connections from 0: equal numbers came over one connection.
    package let connection: Int
    package let method: String
    /// The target as sent: a path with its query, a whole URL where the client takes the server for a proxy.
    package let target: String
    /// In the order they came, names as they were written.
    package let headers: [(name: String, value: String)]

    /// The target up to its query.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The query's fields, without undoing percent signs; the last of equal names counts.
    package var query: [String: String] {
        let fields = target.drop { $0 != "?" }.dropFirst().split(separator: "&")
        return Dictionary(
            fields.map { field in
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
    }

    /// The first header of that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Reads a request's head; nil where it is none.
    init?(head: String, connection: Int) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let parts = lines.popFirst()?.split(separator: " "), parts.count == 3 else { return nil }
        self.connection = connection
        method = String(parts[0])
        target = String(parts[1])
        headers = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }
}
