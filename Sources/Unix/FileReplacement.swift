import Glibc

/// Puts a file in place of the one at the path: whoever reads it sees the old bytes or the new ones, also after a
/// power failure.
///
/// The bytes are on disk when it returns. The folder gets a file of another name for the time of writing.
/// - Throws: `SystemError`; the file at the path is then as it was.
package func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    let name = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 16))"
    let file = Descriptor(
        owning: try retrying("create", name) { open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) })
    do throws(SystemError) {
        try retrying("change the mode of the new", path) { fchmod(file.rawValue, mode) }
        try writeFully(bytes, to: file.rawValue, path)
        try retrying("sync the new", path) { fsync(file.rawValue) }
        try retrying("replace", path) { rename(name, path) }
    } catch {
        unlink(name)
        throw error
    }
    try syncFolder(parentFolder(of: path))
}

/// Sees to it that the names in a folder are on disk.
private func syncFolder(_ path: String) throws(SystemError) {
    let folder = Descriptor(
        owning: try retrying("open folder", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    try retrying("sync folder", path) { fsync(folder.rawValue) }
}
