import JSON
package import JokesCore

/// A file to import, read record by record.
package struct ImportFile: Sendable {
    private let format: ExportFormat
    private let bytes: [UInt8]
    private let now: Timestamp

    /// Detects the format if it is nil: a fortune file by a line that is only `%`. Favorites without a time get the time
    /// `now`.
    ///
    /// - Throws: `ImportProblem` if the format is nil and the file is empty or has none of the formats.
    package init(_ bytes: [UInt8], format: ExportFormat? = nil, now: Timestamp) throws(ImportProblem) {
        self.bytes = bytes
        self.now = now
        self.format = if let format { format } else { try Self.format(of: bytes) }
    }

    /// True for a fortune file that jokesctl did not write: a list of jokes, but not of favorites.
    package var isForeignFortune: Bool { format == .fortune && !FortuneImport.isExport(bytes) }

    /// Calls the body with each checked record in the order of the file, newest first.
    ///
    /// - Throws: `ImportProblem` for the first bad record, and the errors of the body.
    package func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        do {
            switch format {
            case .json where JournalImport.isJournal(bytes): try JournalImport(bytes: bytes).forEachRecord(body)
            case .json: try JSONImport(bytes: bytes).forEachRecord(body)
            case .jsonfeed: try JSONFeedImport(bytes: bytes, now: now).forEachRecord(body)
            case .fortune: try FortuneImport(bytes: bytes, now: now).forEachRecord(body)
            case .html, .text: throw ImportProblem("files of this format cannot be imported", at: 0, of: bytes)
            }
        } catch let error as JSONError {
            throw ImportProblem(error.description, at: error.offset, of: bytes)
        }
    }

    private static func format(of bytes: [UInt8]) throws(ImportProblem) -> ExportFormat {
        // A failed download leaves an empty file.
        if bytes.isEmpty { throw ImportProblem("the file is empty", at: 0, of: bytes) }
        let start = bytes.firstIndex { !((0x09...0x0D).contains($0) || [0x20, 0xEF, 0xBB, 0xBF].contains($0)) } ?? 0
        let unknown = ImportProblem("cannot tell the format of the file", at: start, of: bytes)
        guard bytes[start] == UInt8(ascii: "{") else {
            if beginsMarkup(bytes[start...]) || !FortuneFile.hasSeparator(bytes) { throw unknown }
            return .fortune
        }
        if JournalImport.isJournal(bytes) { return .json }
        do throws(JSONError) {
            let root = try JSONDocument(bytes).root
            if root.optionalText("format") == JSONExport.name { return .json }
            if Feed.isKnownVersion(root.optionalText("version") ?? "") { return .jsonfeed }
        } catch {
            throw ImportProblem(error.reason, at: error.offset, of: bytes)
        }
        throw unknown
    }

    /// Returns whether the bytes begin an HTML page or an XML document. An HTML page may have a line that is only `%`.
    private static func beginsMarkup(_ bytes: ArraySlice<UInt8>) -> Bool {
        let beginning = String(decoding: bytes.prefix(9), as: UTF8.self).lowercased()
        return ["<!doctype", "<html", "<?xml"].contains { beginning.hasPrefix($0) }
    }
}

extension ExchangeRecord {
    /// Returns the record as it is imported. It begins at an offset of the file's bytes.
    func checked(at offset: Int, of bytes: [UInt8]) throws(ImportProblem) -> ExchangeRecord {
        do throws(Refusal) {
            return try checked()
        } catch {
            throw ImportProblem(error.description, at: offset, of: bytes)
        }
    }
}

/// Reads the journal of a daemon, `favorites.jsonl`: the favorites and hidden marks that result from its changes.
struct JournalImport {
    let bytes: [UInt8]

    /// Returns whether the first line is that of a journal.
    static func isJournal(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let line = try? JSONDocument(Array(bytes[..<end])).root
        else { return false }
        return ["seq", "op", "sum"].allSatisfy { line.member($0) != nil }
    }

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let contents = JournalContents(bytes, acceptsDamagedBatch: true)
        if let index = contents.firstDamage {
            throw ImportProblem(
                "the checksum of this line is wrong; remove the line to import the others", at: index, of: bytes)
        }
        let userData = UserData(contents.entries)
        for favorite in userData.favorites.reversed() { try body(.favorite(favorite)) }
        for mark in userData.hidden { try body(.hidden(mark)) }
    }
}

/// The reason for refusing a file, and the position of the problem.
package struct ImportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    /// The character in the line, counted from 1.
    package let column: Int
    /// A phrase, which may quote names from the file.
    package let reason: String

    /// A problem at an index of the file's bytes. O(n)
    init(_ reason: String, at index: Int, of bytes: [UInt8]) {
        let before = bytes[..<min(index, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // Each character of UTF-8 has one byte that is not a continuation byte.
        column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
        self.reason = reason
    }

    package var description: String { "line \(line), column \(column): \(reason)" }
}
