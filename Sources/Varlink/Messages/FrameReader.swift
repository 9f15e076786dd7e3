import Glibc
import Unix

/// Splits a stream of bytes into frames, each ended by a NUL, in linear time.
///
/// Frames that are not taken stay in memory: the caller stops reading when `count` is too large.
struct FrameReader {
    /// The maximum size of a frame without its NUL, in bytes.
    let limit: Int
    private var buffer: [UInt8] = []
    /// The start of the next frame.
    private var start = 0
    /// The end of the bytes that have no NUL.
    private var searched = 0

    init(limit: Int) { self.limit = limit }

    /// The number of bytes that were not taken yet.
    var count: Int { buffer.count - start }

    /// The allocated memory in bytes.
    var allocatedBytes: Int { buffer.capacity }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = buffer.count + bytes.count
        // An array would double its memory, and half of it would be unused by a long message.
        if needed > buffer.capacity { buffer.reserveCapacity(max(needed, buffer.capacity / 4 * 5)) }
        buffer.append(contentsOf: bytes)
    }

    /// True if `next` would return a frame or fail.
    mutating func hasNext() -> Bool { findEnd() != nil || count > limit }

    /// Removes and returns the next frame without its NUL; nil until it is complete.
    ///
    /// No more frames can be read after an error.
    mutating func next() throws(VarlinkError) -> [UInt8]? {
        let end = findEnd()
        guard (end ?? buffer.count) - start <= limit else {
            throw .malformed(reason: "a message is longer than \(limit) bytes")
        }
        guard let end else { return nil }
        guard end > start else { throw .malformed(reason: "a message is empty") }
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

    /// Frees the taken bytes, if they are most of the buffer.
    private mutating func reclaim() {
        if start == buffer.count {
            // An idle connection keeps at most one page.
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
            (start, searched) = (0, 0)
        } else if start > 65_536 && start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
    }
}

extension FrameReader {
    /// Reads once from a socket, through a buffer that connections can share, so idle connections need none.
    mutating func receive(
        from socket: Int32, through buffer: inout [UInt8]
    ) throws(SystemError) -> StreamSocket.Transfer {
        try buffer.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let transfer = try StreamSocket.receive(from: socket, into: bytes)
            if case .moved(let count) = transfer { append(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
            return transfer
        }
    }

    /// Reads once from a service that has calls to answer.
    ///
    /// - Throws: `VarlinkError.disconnected` at the end of the connection, `.system`.
    mutating func receiveReplies(from socket: Int32, through buffer: inout [UInt8]) throws(VarlinkError) {
        let transfer = try VarlinkError.converting(try receive(from: socket, through: &buffer))
        if transfer == .ended { throw .disconnected }
    }
}
