import Glibc
package import Unix

/// A private folder for one test, removed with its contents when its last owner is released.
///
/// Its path is short enough for a Unix socket inside it.
package final class TemporaryFolder: Sendable {
    /// The folder's absolute path, without a slash at the end.
    package let path: String

    /// Creates a folder of mode 0700 in `$TMPDIR`, or in /tmp.
    package init() throws(SystemError) {
        path = try makeTemporaryFolder("jokesd")
    }

    deinit {
        removeTree(path)
    }

    /// Returns the path of an entry, which need not exist.
    package func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file of mode 0600, replacing an existing one; returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws(SystemError) -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file of mode 0600, replacing an existing one; returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws(SystemError) -> String {
        let target = path(name)
        let file = Descriptor(
            owning: try retrying("create", target) { open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) })
        var done = 0
        while done < bytes.count {
            done += try retrying("write", target) {
                bytes.withUnsafeBytes { Glibc.write(file.rawValue, $0.baseAddress! + done, bytes.count - done) }
            }
        }
        return target
    }
}

/// Removes a folder and its contents, as far as possible.
package func removeTree(_ path: String) {
    for name in entries(of: path) {
        let entry = "\(path)/\(name)"
        if unlink(entry) != 0 && (errno == EISDIR || errno == EPERM) { removeTree(entry) }
    }
    rmdir(path)
}

private func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                String(cString: $0)
            }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names
}
