import Glibc
import JSON
import JokesCore
import Unix

/// The records of an import until its last piece, in a file without a name. The file is freed with this object.
final class ImportSpool {
    private let path: String
    private let file: Descriptor
    /// The offsets at which the pieces end.
    private var ends = [0]

    /// Creates the file in a folder.
    init(in folder: String) throws(SystemError) {
        let path = "\(folder)/import-\(UInt64.random(in: .min ... .max))"
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        file = Descriptor(owning: try retrying("create", path) { open(path, flags, 0o600) })
        self.path = path
        unlink(path)
    }

    /// The size in bytes.
    var size: Int { ends[ends.count - 1] }

    /// Appends all records of a piece, or none.
    func append(_ records: [ExchangeRecord]) throws {
        let bytes = try records.flatMap { try JSONEncoding.encode($0) + [UInt8(ascii: "\n")] }
        // A failed write may have left a part behind.
        let raw = file.rawValue
        _ = try retrying("write to", path) { lseek(raw, off_t(size), SEEK_SET) }
        try writeFully(bytes, to: raw, path)
        ends.append(size + bytes.count)
    }

    /// Reads the records from the last one to the first one, and keeps one piece in memory.
    ///
    /// Files begin with the newest record, which is read last and so gets the largest key in the store.
    func forEachFromLast(_ body: (ExchangeRecord) throws -> Void) throws {
        for (start, end) in zip(ends, ends.dropFirst()).reversed() {
            let piece = try contents(of: file.rawValue, path, at: start, count: end - start)
            for line in piece.split(separator: UInt8(ascii: "\n")).reversed() {
                try body(JSONDocument(Array(line)).root.decode(ExchangeRecord.self))
            }
        }
    }
}
