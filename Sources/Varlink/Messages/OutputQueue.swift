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
    /// The contribution of this queue to the memory of all queues.
    ///
    /// A shared frame is added to the first queue that has it, and subtracted from the last one. So the number of one
    /// queue may be negative; only the sum has a meaning.
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

    /// Calls the body with the next bytes, until it takes no more.
    ///
    /// The body returns the number of bytes that it took; nil if it can take none now.
    mutating func drain<Failure: Error>(
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Int?
    ) throws(Failure) {
        var gone = 0
        defer { if gone > 0 { segments.removeFirst(gone) } }
        while gone < segments.count {
            let result: Result<Int?, Failure> = segments[gone].bytes.withUnsafeBytes { bytes in
                do throws(Failure) {
                    return .success(try write(UnsafeRawBufferPointer(rebasing: bytes[offset...])))
                } catch {
                    return .failure(error)
                }
            }
            guard let written = try result.get() else { return }
            count -= written
            offset += written
            guard offset == segments[gone].bytes.count else { continue }
            // Its memory is freed when all of it is sent.
            letGo(of: segments[gone])
            offset = 0
            gone += 1
        }
    }

    mutating func removeAll() {
        for segment in segments { letGo(of: segment) }
        segments = []
        (offset, count) = (0, 0)
    }

    private mutating func letGo(of segment: Segment) {
        if segment.holders?.remove() != false { heldBytes -= segment.heldBytes }
    }
}
