/// Bytes of a file from an offset on: fewer than asked for where it ends, or cannot be read.
package typealias FileBytes = (_ offset: Int, _ count: Int) -> [UInt8]

/// What a write-ahead log holds, looked at without SQLite: also what SQLite does not reach any more.
///
/// SQLite believes a log up to the first frame whose checksum is wrong, and forgets what comes behind it without a word:
/// that is how it tells what a crash has left unfinished. A checksum is of the frame and of the one stored in the frame
/// before, so that each frame can be judged without those further ahead; the one behind a wrong one is believed. What is
/// sound and followed by a sound end of its transaction was committed. Format: https://www.sqlite.org/fileformat2.html#walformat
package struct LogFrames {
    package let pageSize: Int
    /// Where the newest sound content of each committed page begins, by the page's number.
    package private(set) var offsets: [Int: Int] = [:]
    /// The pages that were committed last where SQLite does not look any more.
    package private(set) var unreached: Set<Int> = []
    /// How many pages the database has after the last commit.
    package private(set) var pageCount = 0

    static let headerSize = 32
    static let frameHeaderSize = 24

    /// Reads a log. O(n).
    ///
    /// - Parameters:
    ///   - bytes: The log's, of which there are `size`.
    ///   - size: In bytes.
    ///   - fallback: The size of the database's pages, where the log's header does not tell it.
    package init(_ bytes: FileBytes, size: Int, pageSize fallback: Int) {
        let header = LogHeader(bytes(0, Self.headerSize))
        pageSize = header?.pageSize ?? fallback
        let frameSize = Self.frameHeaderSize + pageSize
        let starts = stride(from: Self.headerSize, through: size - frameSize, by: frameSize)
        var reader = FrameReader(header, salts: header?.salts ?? Self.commonSalts(starts, bytes))
        var isReached = header != nil
        /// Frames of a transaction whose end has not come yet.
        var open: [(page: Int, offset: Int, isReached: Bool)] = []
        for offset in starts {
            guard let frame = reader.next(bytes(offset, frameSize)) else {
                isReached = false
                continue
            }
            if !reader.isVerified { isReached = false }
            open.append((frame.page, offset + Self.frameHeaderSize, isReached))
            guard frame.pagesAfterCommit > 0 else { continue }
            for entry in open {
                offsets[entry.page] = entry.offset
                if entry.isReached && isReached { unreached.remove(entry.page) } else { unreached.insert(entry.page) }
            }
            open = []
            pageCount = frame.pagesAfterCommit
        }
    }
}

extension LogFrames {
    /// What tells the frames of the log's latest run from those before it, where the header does not say: the first that
    /// two frames in a row have.
    private static func commonSalts(_ starts: StrideThrough<Int>, _ bytes: FileBytes) -> [UInt8]? {
        var before: [UInt8]?
        for start in starts {
            let salts = bytes(start + 8, 8)
            if salts == before { return salts }
            before = salts
        }
        return before
    }
}

/// The log's first bytes; nil where they are not sound.
private struct LogHeader {
    let pageSize: Int
    let salts: [UInt8]
    let checksum: LogChecksum

    init?(_ bytes: [UInt8]) {
        guard bytes.count == LogFrames.headerSize, let size = PageSize(bytes.bigEndian(at: 8)) else { return nil }
        let magic = bytes.bigEndian(at: 0)
        guard magic & ~1 == 0x377F_0682 else { return nil }
        var sum = LogChecksum(isBigEndian: magic & 1 == 1)
        sum.add(bytes[0..<24])
        guard sum.equals(bytes, at: 24) else { return nil }
        (pageSize, salts, checksum) = (size.bytes, Array(bytes[16..<24]), sum)
    }
}

/// Tells sound frames from others, one after another.
private struct FrameReader {
    struct Frame {
        let page: Int
        /// 0 but at the end of a transaction.
        let pagesAfterCommit: Int
    }

    private let salts: [UInt8]?
    /// The sum in the frame before; nil where that cannot be known.
    private var before: LogChecksum?
    /// Whether the frame that was read last is known to be right.
    private(set) var isVerified = false

    init(_ header: LogHeader?, salts: [UInt8]?) {
        self.salts = salts
        before = header?.checksum
    }

    mutating func next(_ bytes: [UInt8]) -> Frame? {
        guard bytes.count >= LogFrames.frameHeaderSize else { return nil }
        let sum = before
        before = nil
        guard salts == Array(bytes[8..<16]) else { return nil }
        if var sum {
            sum.add(bytes[0..<8])
            sum.add(bytes[LogFrames.frameHeaderSize...])
            guard sum.equals(bytes, at: 16) else { return nil }
        }
        isVerified = sum != nil
        let page = Int(bytes.bigEndian(at: 0))
        guard page > 0 else { return nil }
        before = LogChecksum(stored: bytes, at: 16, like: sum)
        return Frame(page: page, pagesAfterCommit: Int(bytes.bigEndian(at: 4)))
    }
}

/// The running sum over a log.
private struct LogChecksum {
    /// Whether the words that are added are so; programs on a machine write its own order.
    private let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    init(stored bytes: [UInt8], at offset: Int, like other: LogChecksum?) {
        isBigEndian = other?.isBigEndian ?? (UInt32(1).bigEndian == 1)
        first = bytes.bigEndian(at: offset)
        second = bytes.bigEndian(at: offset + 4)
    }

    /// Adds so many bytes as are a multiple of 8.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
                first &+= word(bytes, offset) &+ second
                second &+= word(bytes, offset + 4) &+ first
            }
        }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    func equals(_ bytes: [UInt8], at offset: Int) -> Bool {
        first == bytes.bigEndian(at: offset) && second == bytes.bigEndian(at: offset + 4)
    }
}

/// A size that pages can have.
struct PageSize {
    let bytes: Int

    init?(_ number: UInt32) {
        // 65536 does not fit the two bytes of a database's header, and is written as 1 there.
        let size = number == 1 ? 65536 : Int(number)
        guard size >= 512, size <= 65536, size & (size - 1) == 0 else { return nil }
        bytes = size
    }
}

extension [UInt8] {
    /// Four bytes as a number, the highest first, as SQLite's files have them.
    func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    func bigEndian16(at offset: Int) -> Int {
        Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}
