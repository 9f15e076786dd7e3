/// Connections that wait for their turns, in order.
struct TurnQueue {
    private var connections: [ServiceConnection] = []
    /// The index of the first one. Those before it had their turns.
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
        // Ended connections are freed when they are half of the array.
        if start > 64 && start > connections.count / 2 || start == connections.count {
            connections.removeSubrange(..<start)
            start = 0
        }
        return first
    }
}
