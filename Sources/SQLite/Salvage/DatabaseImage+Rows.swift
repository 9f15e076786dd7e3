/// A row as it stands on a page: the kinds of its columns, and their values once they are asked for.
package struct StoredRow {
    package enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    /// Its key in a table with keys; nil in an index, as which a table WITHOUT ROWID is stored.
    package let key: Int64?
    package let kinds: [StoredKind]
    let header: Int
    let payload: () -> [UInt8]?

    /// All its columns; nil where not all of it can be read.
    package func values() -> [Value]? {
        guard let payload = payload() else { return nil }
        var offset = header
        var values: [Value] = []
        values.reserveCapacity(kinds.count)
        for kind in kinds {
            guard offset + kind.size <= payload.count else { return nil }
            values.append(kind.value(payload[offset..<offset + kind.size]))
            offset += kind.size
        }
        return values
    }
}

/// The kind of a column's value and how many bytes it takes, as a row's header has it.
package struct StoredKind: Hashable, Sendable {
    private let code: Int

    init?(_ code: UInt64) {
        // 10 and 11 are never written to a file.
        guard let code = Int(exactly: code), code != 10, code != 11 else { return nil }
        self.code = code
    }

    package var isNull: Bool { code == 0 }
    package var isInteger: Bool { (1...6).contains(code) || code == 8 || code == 9 }
    package var isText: Bool { code >= 13 && code & 1 == 1 }

    /// Whether it is a blob of so many bytes.
    package func isBlob(_ count: Int) -> Bool { code == 12 + 2 * count }

    var size: Int {
        switch code {
        case 0, 8, 9: 0
        case 1...4: code
        case 5: 6
        case 6, 7: 8
        default: (code - 12) / 2
        }
    }

    func value(_ bytes: ArraySlice<UInt8>) -> StoredRow.Value {
        switch code {
        case 0: .null
        case 1...6: .integer(bytes.reduce(Int64(Int8(bitPattern: bytes.first ?? 0)) >> 7) { $0 << 8 | Int64($1) })
        case 7: .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 8, 9: .integer(Int64(code - 8))
        case _ where isText: .text(String(decoding: bytes, as: UTF8.self))
        default: .blob(Array(bytes))
        }
    }
}

extension DatabaseImage {
    /// What a row that is larger than this would be is no row of ours.
    private static let largestRow = 1 << 20

    /// The rows on one page, as far as they can be told; none where it holds no rows, or is not there.
    package func rows(on number: Int) -> [StoredRow] {
        page(number).map { rows(of: $0, number: number, overflow: self.page) } ?? []
    }

    /// The rows on the pages that SQLite does not reach in the log, the newest first.
    ///
    /// What was removed later may be among them, and be there several times.
    package func unreachedRows() -> some Sequence<StoredRow> {
        unreachedPages().lazy.flatMap { rows(of: $0.bytes, number: $0.number, overflow: newestPage) }
    }

    /// The rows that a last transaction wrote which may not have been committed.
    package func doubtfulRows() -> some Sequence<StoredRow> {
        doubtfulPages().lazy.flatMap { rows(of: $0.bytes, number: $0.number, overflow: newestPage) }
    }

    /// The rows of a transaction that SQLite does not reach, as far as they need no page of another.
    ///
    /// - Returns: Those on pages that are known to be right, and those on pages that may as well be older.
    package func rows(of transaction: LogFrames.Stranded) -> (verified: [StoredRow], others: [StoredRow]) {
        guard log.pageSize == pageSize else { return ([], []) }
        let verified = Dictionary(
            transaction.pages.filter(\.isVerified).map { ($0.page, $0.offset) }, uniquingKeysWith: { $1 })
        func rows(areVerified: Bool) -> [StoredRow] {
            transaction.pages.filter { $0.isVerified == areVerified }.flatMap { place -> [StoredRow] in
                guard let bytes = loggedPage(at: place.offset) else { return [] }
                return self.rows(of: bytes, number: place.page) { verified[$0].flatMap(loggedPage) }
            }
        }
        return (rows(areVerified: true), rows(areVerified: false))
    }

    private func rows(of page: [UInt8], number: Int, overflow: @escaping (Int) -> [UInt8]?) -> [StoredRow] {
        let start = number == 1 ? 100 : 0
        let kind = BranchKind(rawValue: page[start])
        guard let kind, kind != .tableBranch else { return [] }
        let pointers = start + (kind == .indexBranch ? 12 : 8)
        let count = page.bigEndian16(at: start + 3)
        return (0..<count).compactMap { place in
            let pointer = pointers + 2 * place
            guard pointer + 2 <= usableSize else { return nil }
            return row(page, at: page.bigEndian16(at: pointer), kind, overflow: overflow)
        }
    }

    private enum BranchKind: UInt8 {
        case indexBranch = 2
        case tableBranch = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    private func row(
        _ page: [UInt8], at offset: Int, _ kind: BranchKind, overflow: @escaping (Int) -> [UInt8]?
    ) -> StoredRow? {
        // In front of a row in a branch is the number of the page below it.
        var bytes = ByteCursor(page[..<usableSize], at: offset + (kind == .indexBranch ? 4 : 0))
        guard let size = bytes.varint().flatMap({ Int(exactly: $0) }), size <= Self.largestRow else { return nil }
        let key = kind == .tableLeaf ? bytes.varint().map(Int64.init(bitPattern:)) : nil
        let local = localSize(of: size, isTable: kind == .tableLeaf)
        let payloadStart = bytes.offset
        guard payloadStart + local <= usableSize else { return nil }
        guard let headerSize = bytes.varint().flatMap({ Int(exactly: $0) }), headerSize <= local else { return nil }
        var kinds: [StoredKind] = []
        while bytes.offset < payloadStart + headerSize {
            guard let code = bytes.varint(), let kind = StoredKind(code) else { return nil }
            kinds.append(kind)
        }
        return StoredRow(key: key, kinds: kinds, header: headerSize) {
            payload(page, payloadStart..<payloadStart + local, size: size, overflow: overflow)
        }
    }

    /// How many bytes of a row stand on its page; the rest is on pages of its own.
    private func localSize(of size: Int, isTable: Bool) -> Int {
        let most = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let wanted = least + (size - least) % (usableSize - 4)
        return wanted <= most ? wanted : least
    }

    private func payload(
        _ page: [UInt8], _ local: Range<Int>, size: Int, overflow: (Int) -> [UInt8]?
    ) -> [UInt8]? {
        var payload = Array(page[local])
        guard payload.count < size else { return payload }
        guard local.upperBound + 4 <= page.count else { return nil }
        var next = Int(page.bigEndian(at: local.upperBound))
        while payload.count < size {
            guard next >= 2, let more = overflow(next) else { return nil }
            payload += more[4..<min(usableSize, 4 + size - payload.count)]
            next = Int(more.bigEndian(at: 0))
        }
        return payload
    }
}

/// Reads numbers of one to nine bytes.
private struct ByteCursor {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset: Int

    init(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard bytes.indices.contains(offset) else { return nil }
            let byte = bytes[offset]
            offset += 1
            if place == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return value
    }
}
