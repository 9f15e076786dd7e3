import Unix

/// Bytes to be sent, in order. Frames for several clients are shared, not copied.
///
/// A queue with shared frames must be emptied by `removeAll` before it is freed.
struct OutputQueue {
    /// Frames up to this size are joined, so several replies need one write.
    private static let joinedSize = 16_384

    private struct Segment {
        var bytes: [UInt8]
        /// Nil for bytes of this queue only.
        let holders: FrameHolders?

        /// The allocated memory in bytes.
        var heldBytes: Int { holders == nil ? bytes.capacity : bytes.count }
    }

    private var segments: [Segment] = []
    /// The number of sent bytes of the first segment.
    private var offset = 0
    /// The number of bytes that are not sent yet.
    private(set) var count = 0
    /// What this queue adds to the service's total. A shared frame is counted by the first queue that gets it, until the last
    /// one drops it.
    private(set) var heldBytes = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a frame, with its holders if it is shared.
    mutating func append(_ frame: [UInt8], holders: FrameHolders? = nil) {
        count += frame.count
        let last = segments.count - 1
        // By index: with a copy in a variable, `append` would copy the segment.
        if last >= 0 && holders == nil && segments[last].holders == nil
            && segments[last].bytes.count + frame.count <= Self.joinedSize
        {
            heldBytes -= segments[last].heldBytes
            segments[last].bytes.append(contentsOf: frame)
            heldBytes += segments[last].heldBytes
        } else {
            let segment = Segment(bytes: frame, holders: holders)
            segments.append(segment)
            if holders?.add() != false { heldBytes += segment.heldBytes }
        }
    }

    /// Sends what the socket takes without waiting.
    ///
    /// - Returns: The reason for stopping: `.wouldBlock` or `.ended`; nil if the queue is empty.
    mutating func send(to socket: Int32) throws(SystemError) -> StreamSocket.Transfer? {
        var sent = 0
        defer { if sent > 0 { segments.removeFirst(sent) } }
        while sent < segments.count {
            let transfer = try segments[sent].bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
                let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[offset...]))
                return try StreamSocket.send(rest, to: socket)
            }
            guard case .moved(let written) = transfer else { return transfer }
            count -= written
            offset += written
            guard offset == segments[sent].bytes.count else { continue }
            // Its memory is freed when all of it is sent.
            release(segments[sent])
            offset = 0
            sent += 1
        }
        return nil
    }

    mutating func removeAll() {
        for segment in segments { release(segment) }
        segments = []
        (offset, count) = (0, 0)
    }

    private mutating func release(_ segment: Segment) {
        if segment.holders?.remove() != false { heldBytes -= segment.heldBytes }
    }
}
