import Glibc
import Unix

/// The kernel's statistics of a process.
package struct MeasuredProcess {
    /// The process ID, which is also the ID of the first thread.
    package let pid: Int32

    package init(pid: Int32) {
        self.pid = pid
    }

    /// The anonymous memory in MB of 1,000,000 bytes, without pages of files.
    package func anonymousMemory() throws -> Double {
        (try Self.number(after: "Anonymous:", in: "/proc/\(pid)/smaps_rollup") ?? .nan) * 1024 / 1_000_000
    }

    /// The peak of the resident memory, in MB of 1,000,000 bytes.
    package func peakMemory() throws -> Double {
        (try Self.number(after: "VmHWM:", in: "/proc/\(pid)/status") ?? .nan) * 1024 / 1_000_000
    }

    /// The bytes that the process has written with system calls, including those that the kernel has not yet stored.
    package func writtenBytes() throws -> Double {
        try Self.number(after: "wchar:", in: "/proc/\(pid)/io") ?? .nan
    }

    /// The number of voluntary and involuntary context switches of all threads.
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

    /// The processor time of all threads, in milliseconds.
    package func processorTime() throws -> Double {
        let tasks = "/proc/\(pid)/task"
        return try Self.names(in: tasks).reduce(0) { sum, thread in
            let text = String(decoding: try contentsOfFile("\(tasks)/\(thread)/schedstat", limit: 4096), as: UTF8.self)
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? .nan) / 1e6
        }
    }

    /// The IDs of the threads in the kernel.
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
