import Glibc

/// Reports new contents of a file, until `end`: by inotify(7) on its folder, so also of a file that is created later or
/// replaced. If the path is a symbolic link, the folder of its target is watched too.
///
/// A removed file and a removed folder are not reported.
package final class FileWatch {
    private let loop: EventLoop
    private let path: String
    private let handler: () -> Void
    private let descriptor: Descriptor
    private var watch: EventLoop.Watch?
    /// The names to look for in each watched folder. The folder of a former target is watched, but not in here.
    private var names: [Int32: Set<String>] = [:]

    /// The events of new contents. A file that is only created has no contents yet.
    private static let written = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
    private static let created = UInt32(IN_CREATE)

    /// Calls the handler on the loop after each change. Call it on the loop.
    ///
    /// - Throws: `SystemError`, with `ENOENT` if the folder does not exist.
    package init(_ path: String, on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.path = path
        self.handler = handler
        descriptor = Descriptor(
            owning: try retrying("watch", path) { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        try watchFolders()
        watch = try loop.watch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.readEvents() }
    }

    /// Ends the reports. Call it on the loop.
    package func end() { loop.unwatch(&watch) }

    private func watchFolders() throws(SystemError) {
        names = [:]
        try watchFolder(of: path)
        guard let target = realpath(path, nil) else { return }
        defer { free(target) }
        try watchFolder(of: String(cString: target))
    }

    private func watchFolder(of file: String) throws(SystemError) {
        let folder = parentFolder(of: file)
        // The number of a folder that is watched already stays the same.
        let number = try retrying("watch folder", folder) {
            inotify_add_watch(descriptor.rawValue, folder, Self.written | Self.created)
        }
        names[number, default: []].insert(file.split(separator: "/").last.map(String.init) ?? file)
    }

    private func readEvents() {
        var isChanged = false
        while let events = nextEvents() {
            for event in events where isRelevant(event) { isChanged = true }
        }
        guard isChanged else { return }
        // The path may lead to another folder now. If the watch fails, the folder is gone.
        try? watchFolders()
        handler()
    }

    private struct Event {
        let folder: Int32
        let mask: UInt32
        let name: String
    }

    /// Nil if no more events are pending.
    private func nextEvents() -> [Event]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor.rawValue, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return bytes.withUnsafeBytes { buffer in
            var events: [Event] = []
            var start = 0
            while start < count {
                let header = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                let nameStart = start + MemoryLayout<inotify_event>.size
                start = nameStart + Int(header.len)
                // The name is padded with zeros.
                let name = buffer[nameStart..<start].prefix { $0 != 0 }
                events.append(Event(folder: header.wd, mask: header.mask, name: String(decoding: name, as: UTF8.self)))
            }
            return events
        }
    }

    private func isRelevant(_ event: Event) -> Bool {
        // Lost events may have been relevant.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard names[event.folder]?.contains(event.name) == true else { return false }
        if event.mask & Self.written != 0 { return true }
        // A new link has its contents at once.
        var status = stat()
        return event.mask & Self.created != 0 && lstat(path, &status) == 0 && status.type == S_IFLNK
    }
}
