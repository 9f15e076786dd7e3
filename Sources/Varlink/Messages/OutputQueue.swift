/// Bytes on their way out, in order; whole frames are shared with their other receivers, not copied.
///
/// One that holds shared frames is emptied by `removeAll` before it goes.
struct OutputQueue {
    /// Frames up to this size are joined, so that a batch of replies is one write.
    private static let joinedSize = 16_384

    private struct Segment {
        var bytes: [UInt8]
        /// Nil for what is in this queue alone.
        let holders: FrameHolders?

        /// The memory that it takes.
        var heldBytes: Int { holders == nil ? bytes.capacity : bytes.count }
    }

    private var segments: [Segment] = []
    /// How much of the first segment has gone.
    private var offset = 0
    /// The bytes that have not gone yet.
    private(set) var count = 0
    /// What this queue adds to the memory of all queues together.
    ///
    /// The first that takes a shared frame is charged with it and the last that lets it go is credited, so for one queue
    /// alone the number means nothing and may be negative.
    private(set) var heldBytes = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a frame, with its holders where others hold it too.
    mutating func append(_ frame: [UInt8], holders: FrameHolders? = nil) {
        count += frame.count
        let last = segments.count - 1
        // By index: a copy in a variable would make the append copy the whole segment.
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

    /// Hands out the bytes until the body takes no more of them.
    ///
    /// The body returns how many of the bytes it took; nil when it cannot take any now.
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
            // Its memory goes when all of it has gone.
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
