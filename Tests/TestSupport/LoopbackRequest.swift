/// A request as a `LoopbackServer` received it.
package struct LoopbackRequest: Sendable {
    /// The number of the connection, from 0. Equal numbers mean the same connection.
    package let connection: Int
    package let method: String
    /// The target as sent: a path with its query, or an absolute URL if the client uses the server as a proxy.
    package let target: String
    /// The headers in the order of arrival, with the names as sent.
    package let headers: [(name: String, value: String)]

    /// The target up to its query.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The query's fields, not percent-decoded. The last of equal names counts.
    package var query: [String: String] {
        let fields = target.drop { $0 != "?" }.dropFirst().split(separator: "&")
        return Dictionary(
            fields.map { field in
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
    }

    /// Returns the first header with that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Parses a request's head; `nil` if it is malformed.
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
