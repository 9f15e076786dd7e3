/// A database file and its log as pages, looked at without SQLite, however damaged they are: nothing in them is
/// believed, and nothing is written.
///
/// What stands on a page that was not touched is found, whatever became of the pages that lead there. Pages are as SQLite
/// reads them, those that it does not reach in a damaged log apart.
/// Format: https://www.sqlite.org/fileformat2.html
package struct DatabaseImage {
    package let pageSize: Int
    /// No page has a higher number.
    package let pageCount: Int
    /// The pages that are there.
    package let pageNumbers: [Int]
    /// Bytes of a page that are used: all. The header may say that some are reserved; SQLite reserves none unless a
    /// program asks for it, and so a byte that says so is more likely wrong than right.
    var usableSize: Int { pageSize }
    package let log: LogFrames
    private let main: FileBytes
    private let logBytes: FileBytes

    /// Looks at the log, O(n) in its size, and at nothing else yet.
    ///
    /// - Parameters:
    ///   - main: The database file.
    ///   - size: Its size in bytes.
    ///   - log: Its write-ahead log.
    ///   - logSize: That one's size in bytes.
    ///   - fallback: The size of a page where neither file tells it.
    package init(
        main: @escaping FileBytes, size: Int, log: @escaping FileBytes = { _, _ in [] }, logSize: Int = 0,
        pageSize fallback: Int = 4096
    ) {
        let header = DatabaseHeader(main(0, DatabaseHeader.size))
        self.log = LogFrames(log, size: logSize, pageSize: header?.pageSize ?? fallback)
        pageSize = header?.pageSize ?? self.log.pageSize
        let held = size / pageSize
        pageCount = max(held, self.log.newestOffsets.keys.max() ?? 0)
        pageNumbers = Array(1..<held + 1) + self.log.offsets.keys.filter { $0 > held }.sorted()
        self.main = main
        logBytes = log
    }

    /// A page by its number, counted from 1; nil where it is not there whole.
    package func page(_ number: Int) -> [UInt8]? {
        page(at: place(of: number))
    }

    /// A page as it was committed last, also where SQLite does not reach that.
    func newestPage(_ number: Int) -> [UInt8]? {
        guard let start = log.newestOffsets[number] else { return page(number) }
        return loggedPage(at: start)
    }

    /// The page that begins there in the log.
    func loggedPage(at start: Int) -> [UInt8]? {
        page(at: (isInLog: true, bytes: start..<start + pageSize))
    }

    /// The pages that SQLite does not reach in the log, the newest first; one may come several times.
    func unreachedPages() -> some Sequence<(number: Int, bytes: [UInt8])> {
        pages(log.unreached)
    }

    /// The pages of a last transaction in the log that may not have been committed.
    func doubtfulPages() -> some Sequence<(number: Int, bytes: [UInt8])> {
        pages(log.doubtful)
    }

    private func pages(_ places: [(page: Int, offset: Int)]) -> some Sequence<(number: Int, bytes: [UInt8])> {
        (log.pageSize == pageSize ? places : []).lazy.compactMap { page, start in
            loggedPage(at: start).map { (page, $0) }
        }
    }

    private func page(at place: (isInLog: Bool, bytes: Range<Int>)) -> [UInt8]? {
        let bytes = (place.isInLog ? logBytes : main)(place.bytes.lowerBound, pageSize)
        return bytes.count == pageSize ? bytes : nil
    }

    /// Where a page stands.
    package func place(of number: Int) -> (isInLog: Bool, bytes: Range<Int>) {
        let logged = log.pageSize == pageSize ? log.offsets[number] : nil
        let start = logged ?? (number - 1) * pageSize
        return (logged != nil, start..<start + pageSize)
    }

    /// Pages that hold nothing valid, as far as that can be told: what was removed may still be read there.
    ///
    /// The list of free pages says so, and the pages of a database that can be vacuumed bit by bit which say what each
    /// other page is for. O(n / pageSize).
    package func freePages() -> Set<Int> {
        listedFreePages().union(mappedFreePages())
    }

    private func listedFreePages() -> Set<Int> {
        var free: Set<Int> = []
        guard let first = page(1), DatabaseHeader(first) != nil else { return free }
        var trunk = Int(first.bigEndian(at: 32))
        while (2...max(2, pageCount)).contains(trunk), free.insert(trunk).inserted, let list = page(trunk) {
            let count = min(Int(list.bigEndian(at: 4)), usableSize / 4 - 2)
            for place in 0..<count { free.insert(Int(list.bigEndian(at: 8 + 4 * place))) }
            trunk = Int(list.bigEndian(at: 0))
        }
        return free
    }

    private func mappedFreePages() -> Set<Int> {
        var free: Set<Int> = []
        let entries = usableSize / 5
        for mapPage in pageNumbers where mapPage >= 2 && (mapPage - 2) % (entries + 1) == 0 {
            guard let map = page(mapPage), isMap(map, entries: entries, of: mapPage) else { continue }
            for entry in 0..<entries where map[5 * entry] == 2 { free.insert(mapPage + 1 + entry) }
        }
        return free
    }

    /// Whether all that a page says about the pages behind it makes sense.
    private func isMap(_ page: [UInt8], entries: Int, of number: Int) -> Bool {
        (0..<min(entries, pageCount - number)).allSatisfy { entry in
            let kind = page[5 * entry]
            let parent = Int(page.bigEndian(at: 5 * entry + 1))
            return kind <= 2 ? parent == 0 : kind <= 5 && (1...pageCount).contains(parent)
        }
    }
}

/// The first bytes of a database; nil where they are not those of one.
private struct DatabaseHeader {
    static let size = 100

    let pageSize: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: "SQLite format 3\0".utf8),
            let size = PageSize(UInt32(bytes.bigEndian16(at: 16)))
        else { return nil }
        pageSize = size.bytes
    }
}
