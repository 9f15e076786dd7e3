import FoundationEssentials
import Glibc
package import JokesClient
import TestSupport
import Unix

/// The daemon that was built with this program, with a state folder.
package final class MeasuredDaemon {
    /// The path of the socket.
    package let socket: String
    private let process: ChildProcess
    /// The milliseconds from the start until the daemon reported that it was ready.
    package let untilReady: Double

    /// Starts the daemon and waits until it is ready.
    ///
    /// - Parameters:
    ///   - folder: The state folder, which also has the configuration and the socket.
    ///   - sources: The sources in the configuration; empty for none.
    /// - Throws: an error if the daemon does not start or does not become ready.
    package init(on folder: String, sources: String = "[]") throws {
        socket = "\(folder)/socket"
        let configuration = "\(folder)/config.json"
        try #"{"sources": \#(sources), "filter": {"safe": false}, "cache": {"maxJokes": 1000000}}"#.write(
            toFile: configuration, atomically: true, encoding: .utf8)
        // Removes the socket of an earlier daemon.
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

    /// The kernel's statistics of the process.
    package var measuredProcess: MeasuredProcess {
        MeasuredProcess(pid: process.pid)
    }

    package func connect() throws -> JokesConnection {
        let connection = JokesConnection(to: [socket])
        try connection.connect()
        return connection
    }

    /// Stops the daemon and waits until it has exited.
    package func stop() throws {
        process.signal(SIGTERM)
        try process.waitForEnd()
    }

    /// Returns the path of a program that was built with this one.
    package static func program(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    }
}
