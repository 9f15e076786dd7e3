/// The room that the bodies of all transfers of a client have together, so that many bad upstreams at once need no more
/// memory than a few.
///
/// The beginning of each body needs none of it: short answers come through, however many long ones hold it.
final class BodyRoom {
    /// Bytes of each body.
    private static let free = 256 << 10

    private(set) var used = 0
    private let limit: Int

    /// Room for so many bytes.
    init(bytes limit: Int) {
        self.limit = limit
    }

    /// Takes room for more bytes of a body; false where there is not as much left. One that is alone always has room.
    func take(_ count: Int, beside held: Int) -> Bool {
        let (before, after) = (counted(held), counted(held + count))
        guard after == before || used - before + after <= limit || used == before else { return false }
        used += after - before
        return true
    }

    /// Gives back what a body of so many bytes has taken.
    func giveBack(_ count: Int) {
        used -= counted(count)
    }

    private func counted(_ count: Int) -> Int {
        max(0, count - Self.free)
    }
}

/// The bytes of a body as they come, in pieces: an array that grows by doubling would take up to three times the room.
final class BodyBuffer {
    private static let pieceSize = 64 << 10

    private var pieces: [[UInt8]] = []
    private(set) var count = 0
    private let room: BodyRoom

    init(in room: BodyRoom) {
        self.room = room
    }

    deinit {
        room.giveBack(count)
    }

    /// False where the room is used up; nothing is appended then.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard room.take(bytes.count, beside: count) else { return false }
        count += bytes.count
        if pieces.isEmpty || pieces[pieces.count - 1].count + bytes.count > Self.pieceSize {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(max(Self.pieceSize, bytes.count))
        }
        pieces[pieces.count - 1].append(contentsOf: bytes)
        return true
    }

    /// All of it in one array. What held it is let go of piece by piece: nothing is held twice.
    func takeBytes() -> [UInt8] {
        defer { clear() }
        if pieces.count == 1 { return pieces[0] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // Each piece is copied to where the one before ended; together they are as long as the capacity.
            for index in pieces.indices {
                filled = buffer[filled...].initialize(fromContentsOf: pieces[index])
                pieces[index] = []
            }
        }
    }

    /// Lets go of what is held.
    func clear() {
        room.giveBack(count)
        (pieces, count) = ([], 0)
    }
}
