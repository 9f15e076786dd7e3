/// Bytes of a file from an offset on: fewer than asked for where it ends, or cannot be read.
package typealias FileBytes = (_ offset: Int, _ count: Int) -> [UInt8]

/// What a write-ahead log holds, looked at without SQLite: also what SQLite does not reach any more.
///
/// SQLite believes a log up to the first frame whose checksum is wrong, and forgets what comes behind it without a word:
/// that is how it tells what a crash has left unfinished. A checksum is of the frame and of the one stored in the frame
/// before, so that each frame can be judged without those further ahead. Format:
/// https://www.sqlite.org/fileformat2.html#walformat
///
/// The laws of a hole, which is what SQLite stops at. A transaction is synced or not; one that is, and all before it in
/// the log, is on disk. A loss of power leaves any part of those that were not, in any order: of each block what was
/// written last, or what stood there before. So
/// - in front of a hole all transactions are certain: SQLite reads them;
/// - a transaction that was synced, and has a hole in it or in front of it, says that the hole is damage. From a log alone
///   nobody can tell that of the last one: it may be the one whose sync the power has cut off. Of an earlier one it is
///   known to those who know what is always synced, since nothing is written before that has been done (`isFollowed`);
/// - all others at a hole or behind it are doubtful, however whole they are, and to lose them is no damage.
package struct LogFrames {
    /// A transaction with a hole in it or in front of it, whose end is there.
    package struct Stranded {
        /// What can be read of it, in the order in which it was written.
        package fileprivate(set) var pages: [(page: Int, offset: Int, isVerified: Bool)] = []
        /// Whether it is certain that another one was begun behind it in the same run of the log.
        package fileprivate(set) var isFollowed = false
        /// Whether all of it is there, and known to be right.
        package fileprivate(set) var isWhole = false
    }

    package let pageSize: Int
    /// The transactions at a hole and behind it, the oldest first.
    package private(set) var stranded: [Stranded] = []
    /// Where the content of each page begins that SQLite reads, by the page's number.
    package private(set) var offsets: [Int: Int] = [:]
    /// What seems to be committed where SQLite does not look any more, the newest first; a page may be there several
    /// times. Whole transactions, and those with a hole that another one follows.
    package private(set) var unreached: [(page: Int, offset: Int)] = []
    /// What the last transaction wrote where nobody can tell whether it was committed, the newest first.
    private(set) var doubtful: [(page: Int, offset: Int)] = []
    /// Where the newest content of each page begins, reached or not, that was committed.
    private(set) var newestOffsets: [Int: Int] = [:]

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
        var transactions = Transactions(isReached: header != nil)
        for offset in starts {
            switch reader.next(bytes(offset, frameSize)) {
            case .sound(let frame): transactions.add(frame, at: offset + Self.frameHeaderSize)
            case .damaged(let endsTransaction): transactions.addHole(endsTransaction: endsTransaction)
            }
        }
        stranded = transactions.stranded
        take(transactions.committed)
        doubtful = (transactions.doubtful?.pages ?? []).reversed().map { ($0.page, $0.offset) }
    }

    private mutating func take(_ transactions: [Transactions.Transaction]) {
        for transaction in transactions {
            for (page, offset, _) in transaction.pages {
                newestOffsets[page] = offset
                if transaction.isReached { offsets[page] = offset } else { unreached.append((page, offset)) }
            }
        }
        unreached.reverse()
    }
}

/// The transactions of a log, as its frames tell them one after another.
private struct Transactions {
    struct Transaction {
        var pages: [(page: Int, offset: Int, isVerified: Bool)] = []
        /// SQLite reads it.
        var isReached: Bool
        /// Every frame is there.
        var isWhole = true
        /// Every frame is known to be right.
        var isVerified = true
        /// The frame behind it was written after it.
        var isFollowed = false

        /// The number of pages before each gap.
        var gaps: [Int] = []

        /// Returns the transactions that this must have been. A transaction contains each page once, so a page that repeats
        /// is of a later one, and the commit frame between them was in a gap.
        ///
        /// The first gap after the page's first frame ends the earlier transaction: only what precedes that gap is known to
        /// be followed.
        func splitWherePagesRepeat() -> [Transaction] {
            var parts: [Transaction] = []
            var start = 0
            var places: [Int: Int] = [:]
            func part(_ range: Range<Int>, isFollowed: Bool) -> Transaction {
                var part = self
                part.pages = Array(pages[range])
                part.isFollowed = isFollowed
                return part
            }
            for (place, page) in pages.enumerated() {
                if let first = places[page.page], first >= start {
                    let end = gaps.first { $0 > first && $0 <= place } ?? place
                    parts.append(part(start..<end, isFollowed: true))
                    start = end
                }
                places[page.page] = place
            }
            return parts + [part(start..<pages.count, isFollowed: isFollowed)]
        }
    }

    private var ended: [Transaction] = []
    private var open: Transaction

    init(isReached: Bool) {
        open = Transaction(isReached: isReached)
    }

    mutating func add(_ frame: FrameReader.Frame, at offset: Int) {
        // Its checksum goes on from that of the last one's end. Salts alone do not say so: what was rolled back has them,
        // but no end.
        let goesOn = frame.isVerified && open.pages.isEmpty && open.isWhole
        if goesOn, !ended.isEmpty { ended[ended.count - 1].isFollowed = true }
        open.pages.append((frame.page, offset, frame.isVerified))
        if !frame.isVerified {
            open.isReached = false
            open.isVerified = false
        }
        if frame.endsTransaction { end() }
    }

    mutating func addHole(endsTransaction: Bool) {
        open.isReached = false
        open.isWhole = false
        open.gaps.append(open.pages.count)
        if endsTransaction { end() }
    }

    private mutating func end() {
        ended += open.isWhole ? [open] : open.splitWherePagesRepeat()
        open = Transaction(isReached: open.isReached)
    }

    /// Those that SQLite does not reach.
    var stranded: [LogFrames.Stranded] {
        ended.enumerated().filter { !$0.element.isReached }.map { place, transaction in
            LogFrames.Stranded(
                pages: transaction.pages, isFollowed: transaction.isFollowed || place < ended.count - 1,
                isWhole: transaction.isWhole && transaction.isVerified)
        }
    }

    /// Those that were committed for certain, or may have been where nothing speaks against it.
    var committed: [Transaction] {
        doubtful == nil ? ended : ended.dropLast()
    }

    /// The last one, where it may not have been committed.
    var doubtful: Transaction? {
        // Whoever waits for a commit has it synced, and what follows was written later.
        guard let last = ended.last, open.pages.isEmpty else { return nil }
        // Behind a frame that is lost, what cannot be verified may be as well what stood there before.
        return !last.isWhole || (!last.isVerified && ended.count > 1) ? last : nil
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
        let endsTransaction: Bool
        /// Whether it is known to be right; of one behind a frame that is lost altogether nobody knows.
        let isVerified: Bool
    }

    enum Result {
        case sound(Frame)
        case damaged(endsTransaction: Bool)
    }

    private let salts: [UInt8]?
    /// What the sum in the frame before may be: of a damaged one, as it is stored there and as it follows from what
    /// stands there. None where nothing is known of it.
    private var before: [LogChecksum]
    /// The frame before is sound, and so its sum is right.
    private var isSure: Bool

    init(_ header: LogHeader?, salts: [UInt8]?) {
        self.salts = salts
        before = header.map { [$0.checksum] } ?? []
        isSure = header != nil
    }

    mutating func next(_ bytes: [UInt8]) -> Result {
        guard bytes.count >= LogFrames.frameHeaderSize else { return .damaged(endsTransaction: false) }
        let isOfThisRun = salts == Array(bytes[8..<16])
        let sums = before.map { sum in
            var sum = sum
            sum.add(bytes[0..<8])
            sum.add(bytes[LogFrames.frameHeaderSize...])
            return sum
        }
        let page = Int(bytes.bigEndian(at: 0))
        let endsTransaction = bytes.bigEndian(at: 4) > 0
        let isVerified = sums.contains { $0.equals(bytes, at: 16) }
        let stored = LogChecksum(stored: bytes, at: 16, like: sums.first)
        guard isOfThisRun, page > 0, isVerified || !isSure else {
            before = sums.prefix(1) + [stored]
            isSure = false
            return .damaged(endsTransaction: isOfThisRun && endsTransaction)
        }
        before = [stored]
        isSure = true
        return .sound(Frame(page: page, endsTransaction: endsTransaction, isVerified: isVerified))
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
