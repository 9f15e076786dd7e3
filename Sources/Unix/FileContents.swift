import Glibc

/// Returns all bytes of a file or pipe.
///
/// - Throws: `SystemError`, with `EFBIG` if there are more than `limit` bytes.
package func contentsOfFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) })
    return try contents(of: file.rawValue, path, limit: limit)
}

/// Returns all bytes of a descriptor. Errors have the subject.
///
/// - Throws: `SystemError`, with `EFBIG` if there are more than `limit` bytes.
package func contents(of descriptor: Int32, _ subject: String, limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = try retrying("read", subject) { read(descriptor, &piece, piece.count) }
        if count == 0 { return contents }
        guard contents.count + count <= limit else { throw SystemError("read", subject, code: EFBIG) }
        contents.append(contentsOf: piece.prefix(count))
    }
}
