import JSON
package import JokesCore

/// A file to import, read record by record.
package struct ImportFile: Sendable {
    package let format: ExchangeFormat
    private let bytes: [UInt8]
    private let now: Timestamp

    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - format: The format; nil detects the format. A fortune file is detected by a line that is only `%`.
    ///   - now: The time of favorites without a time.
    /// - Throws: `ImportProblem` if the format is nil and the file is empty or has none of the formats.
    package init(_ bytes: [UInt8], format: ExchangeFormat? = nil, now: Timestamp) throws(ImportProblem) {
        self.bytes = bytes
        self.now = now
        if let format {
            self.format = format
        } else {
            self.format = try Self.format(of: bytes)
        }
    }

    /// Calls the body with each checked record in the order of the file, newest first.
    ///
    /// - Throws: `ImportProblem` for the first bad record, and the errors of the body.
    package func forEachKeepsake(_ body: (Keepsake) throws -> Void) throws {
        do {
            switch format {
            case .json:
                if let journal = JournalImport(bytes) {
                    try journal.forEachKeepsake(body)
                } else {
                    try JSONImport(bytes).forEachKeepsake(body)
                }
            case .jsonfeed: try JSONFeedImport(bytes, now: now).forEachKeepsake(body)
            case .fortune: try FortuneImport(bytes, now: now).forEachKeepsake(body)
            }
        } catch let error as JSONError {
            throw ImportProblem(error.description, at: error.offset, of: bytes)
        } catch let record as RefusedRecord {
            throw ImportProblem(record.reason, at: record.offset, of: bytes)
        }
    }

    private static func format(of bytes: [UInt8]) throws(ImportProblem) -> ExchangeFormat {
        // A failed download leaves an empty file.
        if bytes.isEmpty { throw ImportProblem("the file is empty", at: 0, of: bytes) }
        let start = bytes.firstIndex { !($0 == 0x20 || (0x09...0x0D).contains($0) || [0xEF, 0xBB, 0xBF].contains($0)) }
        let unknown = ImportProblem("cannot tell the format of the file", at: start ?? 0, of: bytes)
        guard let start, bytes[start] == UInt8(ascii: "{") else {
            let isMarkup = start.map { beginsMarkup(bytes[$0...]) } ?? false
            if isMarkup || FortuneImport.firstMark(in: bytes) == nil { throw unknown }
            return .fortune
        }
        if JournalImport(bytes) != nil { return .json }
        do throws(JSONError) {
            let root = try JSONDocument(bytes).root
            if root.text("format") == JSONExport.name { return .json }
            if isJSONFeedVersion(root.text("version") ?? "") { return .jsonfeed }
        } catch {
            throw ImportProblem(error.reason, at: error.offset, of: bytes)
        }
        throw unknown
    }

    /// Whether the bytes begin as an HTML page or an XML document does. An HTML page may have a line that is only `%`.
    private static func beginsMarkup(_ bytes: ArraySlice<UInt8>) -> Bool {
        let beginning = String(decoding: bytes.prefix(9), as: UTF8.self).lowercased()
        return ["<!doctype", "<html", "<?xml"].contains { beginning.hasPrefix($0) }
    }
}

extension JSONValue {
    /// A member that is text; nil if it is absent or something else.
    func text(_ name: String) -> String? {
        member(name)?.string
    }
}

extension Keepsake {
    /// The keepsake as it is imported, if its record at an offset in the file is valid.
    func checked(at offset: Int) throws(RefusedRecord) -> Keepsake {
        do throws(Refusal) {
            return try checked()
        } catch {
            throw RefusedRecord(offset: offset, reason: error.description)
        }
    }
}
