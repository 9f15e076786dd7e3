import CZlib

/// Unpacks a gzip file in pieces, so that a few bytes never expand to many in memory. Owns a stream of zlib.
final class Unpacker {
    /// The maximum size of a piece, in bytes.
    static let pieceSize = 16 << 10

    /// True if the data is complete.
    private(set) var isComplete = false
    /// True if bytes after the data were found. They are ignored, as browsers do.
    private var isPastEnd = false
    private let url: String
    // zlib compares the address of the stream in each call.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 1)

    /// The URL is for errors.
    init(of url: String) throws(HTTPError) {
        self.url = url
        stream.initialize(to: z_stream())
        if czlib_begin_gzip(stream) != Z_OK { throw HTTPError(.outOfResources, url, "out of memory") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    /// Unpacks a piece, which is valid until the next call, and removes what was read from `bytes`. A piece that is shorter
    /// than `pieceSize` is the last one of these bytes.
    func next(_ bytes: inout UnsafeRawBufferPointer) throws(HTTPError) -> UnsafeRawBufferPointer {
        // zlib does not write to its input.
        let input = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input)
        stream.pointee.avail_in = uInt(bytes.count)
        stream.pointee.next_out = piece.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.pointee.avail_out = uInt(piece.count)
        repeat {
            if isComplete && !beginsAnotherFile() { break }
            switch inflate(stream, Z_NO_FLUSH) {
            // Z_BUF_ERROR: there is nothing to read, or no space left.
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: isComplete = true
            case Z_MEM_ERROR: throw HTTPError(.outOfResources, url, "out of memory")
            default:
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "unknown format"
                throw HTTPError(.protocolViolation, url, "the compressed response is damaged (\(reason))")
            }
        } while isComplete
        bytes = UnsafeRawBufferPointer(rebasing: bytes.suffix(Int(stream.pointee.avail_in)))
        return UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - Int(stream.pointee.avail_out))])
    }

    /// Returns whether the next bytes are another gzip file, whose content is appended (RFC 1952, 2.2). Skips other bytes.
    private func beginsAnotherFile() -> Bool {
        guard stream.pointee.avail_in > 0 else { return false }
        isPastEnd = isPastEnd || stream.pointee.next_in.pointee != 0x1f
        if isPastEnd {
            stream.pointee.avail_in = 0
            return false
        }
        isComplete = false
        // Fails only for a stream that is not in use.
        inflateReset(stream)
        return true
    }
}
