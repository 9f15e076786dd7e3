import FoundationEssentials
import Glibc
package import JokesClient
import TestSupport
import Unix

/// The daemon as it is built beside this program, on a state folder.
package final class MeasuredDaemon {
    /// The path of its socket.
    package let socket: String
    private let process: ChildProcess
    /// From its start until it said that it was ready, in milliseconds.
    package let untilReady: Double

    /// Starts it, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - folder: Its state folder, where its configuration and its socket are, too.
    ///   - sources: What the configuration says of sources; none where nobody is to be asked.
    /// - Throws: what kept it from starting, or from becoming ready.
    package init(on folder: String, sources: String = "[]") throws {
        socket = "\(folder)/socket"
        let configuration = "\(folder)/config.json"
        try #"{"sources": \#(sources), "filter": {"safe": false}}"#.write(
            toFile: configuration, atomically: true, encoding: .utf8)
        // That of the one before it.
        unlink("\(folder)/notify")
        let manager = try ManagerSocket("\(folder)/notify")
        let start = ContinuousClock.now
        let process = try ChildProcess(
            try Self.program("jokesd"),
            ["--config", configuration, "--state-dir", folder, "--socket", socket, "--log-level", "error"],
            environment: ["NOTIFY_SOCKET": "\(folder)/notify"])
        try manager.waitFor("READY=1") { process.errors.text }
        untilReady = start.duration(to: .now) / .milliseconds(1)
        self.process = process
    }

    /// The process as the kernel sees it.
    package var measuredProcess: MeasuredProcess {
        MeasuredProcess(pid: process.pid)
    }

    package func connect() throws -> JokesConnection {
        try JokesConnection(to: [socket])
    }

    /// Ends it, and waits for its end.
    package func stop() throws {
        process.signal(SIGTERM)
        try process.waitForEnd()
    }

    /// The path of a program that was built with this one.
    package static func program(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    }
}
