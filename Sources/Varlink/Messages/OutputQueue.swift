/// Bytes on their way out, in order; whole frames are shared with their other receivers, not copied.
struct OutputQueue {
    /// Frames up to this size are joined, so that a batch of replies is one write.
    private static let joinedSize = 16_384

    private var segments: [[UInt8]] = []
    /// How much of the first segment has gone.
    private var offset = 0
    /// The bytes that have not gone yet.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ frame: [UInt8]) {
        count += frame.count
        let last = segments.count - 1
        // By index: a copy in a variable would make the append copy the whole segment.
        if last >= 0 && segments[last].count + frame.count <= Self.joinedSize {
            segments[last].append(contentsOf: frame)
        } else {
            segments.append(frame)
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
            let result: Result<Int?, Failure> = segments[gone].withUnsafeBytes { bytes in
                do throws(Failure) {
                    return .success(try write(UnsafeRawBufferPointer(rebasing: bytes[offset...])))
                } catch {
                    return .failure(error)
                }
            }
            guard let written = try result.get() else { return }
            count -= written
            offset += written
            guard offset == segments[gone].count else { continue }
            offset = 0
            gone += 1
        }
    }

    mutating func removeAll() {
        self = OutputQueue()
    }
}
