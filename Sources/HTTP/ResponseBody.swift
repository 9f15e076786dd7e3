/// The body of a response while it arrives: unpacked, and never longer than its limit.
struct ResponseBody {
    private enum Content {
        /// The first byte at most, which does not show the format.
        case start([UInt8])
        case plain
        case packed(Unpacker)
    }

    private let limit: Int
    private var content = Content.start([])
    private var unpacked = BodyBuffer()
    private var packedCount = 0
    /// The number of bytes that were read before a pause, after which they come again.
    private var readBeforePause = 0

    /// An empty body. The limit is in bytes.
    init(limit: Int) { self.limit = limit }

    /// The number of unpacked bytes.
    var count: Int { unpacked.count }

    /// Reads bytes. Returns false if `admit`, which is asked for a long body, returns false: then the same bytes, and
    /// perhaps more, must come again.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, _ headers: HeaderFields, admit: () -> Bool
    ) throws(BodyError) -> Bool {
        if case .start(let first) = content {
            let start = first + bytes.prefix(2 - first.count)
            content = .start(start)
            if start.count < 2 { return true }
            try begin(start, headers)
            try read(first)
        }
        return try read(bytes, admit)
    }

    /// Returns the whole body, and removes it.
    mutating func finish(_ headers: HeaderFields) throws(BodyError) -> [UInt8] {
        if case .start(let start) = content, !start.isEmpty {
            try begin(start, headers)
            try read(start)
        }
        if case .packed(let unpacker) = content, !unpacker.isComplete { throw .incomplete }
        return unpacked.takeBytes()
    }

    private mutating func begin(_ start: [UInt8], _ headers: HeaderFields) throws(BodyError) {
        guard let coding = ContentCoding(headers) else { throw .unexpectedCoding }
        if let format = coding.format(ofBodyStarting: start) {
            content = .packed(try Unpacker(format))
        } else {
            content = .plain
        }
    }

    /// Reads the bytes that showed the format. They are too few for a long body.
    private mutating func read(_ start: [UInt8]) throws(BodyError) {
        for byte in start {
            _ = try withUnsafeBytes(of: byte) { bytes throws(BodyError) in try read(bytes) { true } }
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ admit: () -> Bool) throws(BodyError) -> Bool {
        if case .packed(let unpacker) = content { return try unpack(bytes, unpacker, admit) }
        guard count + bytes.count <= limit else { throw .tooLarge }
        guard count + bytes.count <= LongBodies.freeBytes || admit() else { return false }
        unpacked.append(bytes)
        return true
    }

    private mutating func unpack(
        _ bytes: UnsafeRawBufferPointer, _ unpacker: Unpacker, _ admit: () -> Bool
    ) throws(BodyError) -> Bool {
        var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(readBeforePause))
        var isLast = false
        while !isLast {
            guard count + Unpacker.pieceSize <= LongBodies.freeBytes || admit() else {
                readBeforePause = bytes.count - rest.count
                return false
            }
            let piece = try unpacker.next(&rest)
            guard count + piece.count <= limit else { throw .tooLarge }
            unpacked.append(piece)
            isLast = piece.count < Unpacker.pieceSize
        }
        readBeforePause = 0
        packedCount += bytes.count
        // Packed data may be endless without any content.
        guard packedCount <= 2 * limit else { throw .tooLarge }
        return true
    }
}

/// The reason why a body cannot be read.
enum BodyError: Error {
    /// It is longer than the limit.
    case tooLarge
    /// Its coding was not requested, or there are several.
    case unexpectedCoding
    /// It cannot be unpacked, for the reason that zlib states.
    case damaged(String)
    /// Its packed data has no end.
    case incomplete
    case outOfMemory
}
