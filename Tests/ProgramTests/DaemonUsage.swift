import TestSupport
import Testing
import Unix

/// The resources of a daemon, according to /proc.
struct DaemonUsage {
    let openDescriptors: Int
    /// Private memory, in KiB.
    let anonymousMemory: Int

    init(of daemon: DaemonUnderTest) throws {
        openDescriptors = try namesInFolder("/proc/\(daemon.process.pid)/fd").count
        anonymousMemory = try daemon.process.memory("RssAnon:")
    }
}

extension DaemonUnderTest {
    /// Limits the descriptors of the running daemon.
    func limitDescriptors(to count: Int) throws {
        let result = try ChildProcess.run(
            "/usr/bin/prlimit", ["--pid", "\(process.pid)", "--nofile=\(count):\(count)"])
        try #require(result.ending == .exited(0), "\(result.errors)")
    }
}
