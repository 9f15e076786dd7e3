import Glibc

/// A temporary folder with the files of made-up processes, as `/proc` has them. A file is complete when it is in place.
final class ProcessFolder {
    let path: String
    private(set) var ids: Set<Int> = []

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/examples-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure(description: "no folder: errno \(errno)") }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        ids.forEach(end)
        rmdir(path)
    }

    /// Starts a process, or changes one.
    func set(_ id: Int, _ name: String, user: Int = 0, hundredths: Int) throws {
        let isNew = ids.insert(id).inserted
        let folder = isNew ? "\(path)/new" : "\(path)/\(id)"
        if isNew { mkdir(folder, 0o700) }
        try write("Name:\t-\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\n", to: "\(folder)/status")
        // The CPU time is the time as a user and the time in the kernel.
        let (asUser, inKernel) = (hundredths / 3, hundredths - hundredths / 3)
        try write(
            "\(id) (\(name)) S 1 1 1 0 -1 4194560 9 9 9 9 \(asUser) \(inKernel) 7 7 20 0 1 0 5\n", to: "\(folder)/stat")
        if isNew { rename(folder, "\(path)/\(id)") }
    }

    func end(_ id: Int) {
        ids.remove(id)
        let folder = "\(path)/ended"
        rename("\(path)/\(id)", folder)
        for name in ["stat", "status"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func write(_ text: String, to path: String) throws {
        guard let file = fopen("\(path).new", "w") else { throw TestFailure(description: "\(path): errno \(errno)") }
        let bytes = Array(text.utf8)
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count, rename("\(path).new", path) == 0 else {
            throw TestFailure(description: "\(path): errno \(errno)")
        }
    }
}
