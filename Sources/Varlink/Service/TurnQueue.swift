/// Connections that wait for a turn, the one that has waited longest first.
struct TurnQueue {
    private var connections: [ServiceConnection] = []
    /// The index of the first; those before it have had their turns.
    private var start = 0

    var count: Int { connections.count - start }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ connection: ServiceConnection) {
        connections.append(connection)
    }

    /// Amortized O(1).
    mutating func removeFirst() -> ServiceConnection {
        let first = connections[start]
        start += 1
        // One that has ended stays in memory no longer than about as many others wait.
        if start > 64 && start > connections.count / 2 || start == connections.count {
            connections.removeSubrange(..<start)
            start = 0
        }
        return first
    }
}
