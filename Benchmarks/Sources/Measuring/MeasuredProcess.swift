import Glibc
import Unix

/// What the kernel tells of a process.
package struct MeasuredProcess {
    /// The kernel's number for it, and for its first thread.
    package let pid: Int32

    package init(pid: Int32) {
        self.pid = pid
    }

    /// Memory of its own, in MB of 1,000,000 bytes: no page of a file.
    package func anonymousMemory() throws -> Double {
        (try Self.number(after: "Anonymous:", in: "/proc/\(pid)/smaps_rollup") ?? .nan) * 1024 / 1_000_000
    }

    /// The most memory that it ever had resident, in MB of 1,000,000 bytes.
    package func peakMemory() throws -> Double {
        (try Self.number(after: "VmHWM:", in: "/proc/\(pid)/status") ?? .nan) * 1024 / 1_000_000
    }

    /// How often its threads have gone on after they slept or were made to wait, all of them together.
    package func contextSwitches() throws -> Int {
        let tasks = "/proc/\(pid)/task"
        return try Self.names(in: tasks).reduce(0) { sum, thread in
            let status = "\(tasks)/\(thread)/status"
            let switches = try ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"].map {
                try Self.number(after: $0, in: status) ?? 0
            }
            return sum + Int(switches[0] + switches[1])
        }
    }

    /// The processor's time that its threads have taken, all of them together, in milliseconds.
    package func processorTime() throws -> Double {
        let tasks = "/proc/\(pid)/task"
        return try Self.names(in: tasks).reduce(0) { sum, thread in
            let text = String(decoding: try contentsOfFile("\(tasks)/\(thread)/schedstat", limit: 4096), as: UTF8.self)
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? .nan) / 1e6
        }
    }

    /// The kernel's numbers for its threads.
    package func threads() throws -> [Int32] {
        try Self.names(in: "/proc/\(pid)/task").compactMap { Int32($0) }
    }

    private static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw SystemError("list", folder, code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func number(after key: String, in file: String) throws -> Double? {
        let text = String(decoding: try contentsOfFile(file, limit: 65_536), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Double($0) }
    }
}
