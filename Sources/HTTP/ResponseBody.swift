/// The body of a response while it arrives: unpacked, and never longer than its limit.
struct ResponseBody {
    private let limit: Int
    private let url: String
    /// Unpacks a gzip file; nil for other bodies.
    private var unpacker: Unpacker?
    private var unpacked = BodyBuffer()
    private var packedCount = 0
    /// The number of bytes that were read before a pause, after which they come again.
    private var readBeforePause = 0

    /// An empty body. The limit is in bytes. The URL is for errors.
    init(limit: Int, of url: String) { (self.limit, self.url) = (limit, url) }

    /// Reads bytes. Returns false if `admit`, which is asked for a long body, returns false: then the same bytes, and
    /// perhaps more, must come again.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, admit: () -> Bool) throws(HTTPError) -> Bool {
        // A gzip file begins with this byte, and no text does (RFC 1952, 2.3.1). Some servers do not declare such a file.
        if unpacker == nil, unpacked.count == 0, bytes.first == 0x1f { unpacker = try Unpacker(of: url) }
        if let unpacker { return try unpack(bytes, unpacker, admit) }
        guard unpacked.count + bytes.count <= limit else { throw tooLarge }
        guard unpacked.count + bytes.count <= LongBodies.freeBytes || admit() else { return false }
        unpacked.append(bytes)
        return true
    }

    /// Returns the whole body, and removes it.
    mutating func finish() throws(HTTPError) -> [UInt8] {
        if let unpacker, !unpacker.isComplete {
            throw HTTPError(.connectionLost, url, "the compressed response is incomplete")
        }
        return unpacked.takeBytes()
    }

    /// The error of a body that is longer than its limit.
    var tooLarge: HTTPError { HTTPError(.tooLarge, url, "the response is longer than \(limit) bytes") }

    private mutating func unpack(
        _ bytes: UnsafeRawBufferPointer, _ unpacker: Unpacker, _ admit: () -> Bool
    ) throws(HTTPError) -> Bool {
        var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(readBeforePause))
        var isLast = false
        while !isLast {
            guard unpacked.count + Unpacker.pieceSize <= LongBodies.freeBytes || admit() else {
                readBeforePause = bytes.count - rest.count
                return false
            }
            let piece = try unpacker.next(&rest)
            guard unpacked.count + piece.count <= limit else { throw tooLarge }
            unpacked.append(piece)
            isLast = piece.count < Unpacker.pieceSize
        }
        readBeforePause = 0
        packedCount += bytes.count
        // Packed data may be endless without any content.
        guard packedCount <= 2 * limit else { throw tooLarge }
        return true
    }
}
