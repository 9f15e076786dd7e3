/// A semaphore: one long body at a time is in memory.
///
/// The other transfers pause before their bodies are long, and get their turns in the order of their pauses. Confined to the
/// loop's thread.
final class LongBodies {
    static let freeBytes = 128 << 10

    private(set) var holder: Transfer.ID?
    private(set) var waiting: [Transfer.ID] = []

    /// Returns whether a transfer may receive a long body now. If not, the transfer waits for its turn.
    func admit(_ id: Transfer.ID) -> Bool {
        if holder == nil { holder = id }
        if holder == id { return true }
        if !waiting.contains(id) { waiting.append(id) }
        return false
    }

    /// Ends the turn of a transfer, or its wait. Returns the transfer whose turn begins.
    func leave(_ id: Transfer.ID) -> Transfer.ID? {
        waiting.removeAll { $0 == id }
        guard holder == id else { return nil }
        holder = waiting.isEmpty ? nil : waiting.removeFirst()
        return holder
    }
}

/// The permission to have a long body in memory. Other long bodies wait until it is released or freed.
package final class LongBodyPermission: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

    deinit { release() }

    /// To be called when neither the body nor anything read from it is needed. May be called again, from any thread.
    package func release() { onRelease() }
}

/// The bytes of a body in pieces. An array that grows by doubling would take up to three times the memory.
struct BodyBuffer {
    private static let pieceSize = 64 << 10

    private var pieces: [[UInt8]] = []
    private(set) var count = 0

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        if pieces.isEmpty || pieces[pieces.count - 1].count + bytes.count > Self.pieceSize {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(max(Self.pieceSize, bytes.count))
        }
        pieces[pieces.count - 1].append(contentsOf: bytes)
    }

    /// Returns all bytes in one array, and removes them. Each piece is freed after it was copied, so nothing is held twice.
    mutating func takeBytes() -> [UInt8] {
        defer { self = BodyBuffer() }
        if pieces.count == 1 { return pieces[0] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for index in pieces.indices {
                filled = buffer[filled...].initialize(fromContentsOf: pieces[index])
                pieces[index] = []
            }
        }
    }
}
