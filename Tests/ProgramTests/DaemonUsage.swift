import Glibc
import TestSupport
import Testing
import Unix

/// The resources of a daemon, according to /proc.
struct DaemonUsage {
    let openDescriptors: Int
    /// Private memory, in KiB.
    let anonymousMemory: Int

    init(of daemon: DaemonUnderTest) throws {
        let process = "/proc/\(daemon.process.pid)"
        openDescriptors = try names(in: "\(process)/fd").count
        anonymousMemory = try number("RssAnon:", in: "\(process)/status")
    }
}

private func text(_ path: String) throws -> String {
    String(decoding: try contentsOfFile(path, limit: 1 << 20), as: UTF8.self)
}

/// Returns the number after a word in a file of /proc.
private func number(_ word: String, in path: String) throws -> Int {
    let line = try #require(try text(path).split(separator: "\n").first { $0.hasPrefix(word) })
    return try #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
}

private func names(in folder: String) throws -> [String] {
    let stream = try #require(opendir(folder))
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

extension DaemonUnderTest {
    /// Limits the descriptors of the running daemon.
    func limitDescriptors(to count: Int) throws {
        let result = try ChildProcess.run(
            "/usr/bin/prlimit", ["--pid", "\(process.pid)", "--nofile=\(count):\(count)"])
        try #require(result.ending == .exited(0), "\(result.errors)")
    }
}
