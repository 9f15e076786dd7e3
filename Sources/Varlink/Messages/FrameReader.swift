import Glibc

/// Cuts a stream of bytes into frames, each ended by one NUL; it neither reads nor waits.
///
/// Linear in the bytes, however they are cut up. What is not yet taken stays in memory: the caller stops feeding it
/// when `count` is more than it wants to hold.
struct FrameReader {
    /// Why a stream is not one of frames. Nothing after that can be understood.
    enum Failure: Error, Equatable {
        /// Two NULs in a row, or one at the start.
        case empty
        /// No NUL within the limit.
        case tooLong(limit: Int)
    }

    /// The most bytes a frame may have, its NUL not counted.
    let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next frame starts.
    private var start = 0
    /// How far there is no NUL.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that were fed and not yet taken.
    var count: Int { buffer.count - start }

    /// The memory that it takes.
    var allocatedBytes: Int { buffer.capacity }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = buffer.count + bytes.count
        // Left to itself, an array doubles, and half of a long message's memory would be empty.
        if needed > buffer.capacity { buffer.reserveCapacity(max(needed, buffer.capacity / 4 * 5)) }
        buffer.append(contentsOf: bytes)
    }

    /// Whether `next` would give a frame or fail.
    mutating func hasNext() -> Bool {
        findEnd() != nil || count > limit
    }

    /// Takes the next frame, without its NUL; nil until it is complete.
    mutating func next() throws(Failure) -> [UInt8]? {
        guard let end = findEnd() else {
            if count > limit { throw .tooLong(limit: limit) }
            return nil
        }
        guard end > start else { throw .empty }
        guard end - start <= limit else { throw .tooLong(limit: limit) }
        let frame = Array(buffer[start..<end])
        start = end + 1
        searched = start
        reclaim()
        return frame
    }

    private mutating func findEnd() -> Int? {
        guard searched < buffer.count else { return nil }
        let found = buffer.withUnsafeBytes { bytes -> Int? in
            let base = bytes.baseAddress!
            return memchr(base + searched, 0, bytes.count - searched).map { UnsafeRawPointer($0) - base }
        }
        searched = found ?? buffer.count
        return found
    }

    /// Frees what was taken: at once where nothing is left, else when it is most of the buffer.
    private mutating func reclaim() {
        if start == buffer.count {
            // An idle connection keeps a page at most.
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
            (start, searched) = (0, 0)
        } else if start > 65_536 && start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
    }
}
