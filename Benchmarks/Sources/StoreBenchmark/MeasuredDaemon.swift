import FoundationEssentials
import Glibc
import JokesClient
import TestSupport
import Unix

/// The daemon as it is built beside this program, on a state folder, with no source to ask.
final class MeasuredDaemon {
    let socket: String
    private let process: ChildProcess
    /// From its start until it said that it was ready.
    let untilReady: Double

    init(on folder: String) throws {
        socket = "\(folder)/socket"
        let configuration = "\(folder)/config.json"
        try #"{"sources": [], "filter": {"safe": false}}"#.write(
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

    func connect() throws -> JokesConnection {
        try JokesConnection(to: [socket])
    }

    func stop() throws {
        process.signal(SIGTERM)
        try process.waitForEnd()
    }

    /// Memory of its own, in MB of 1,000,000 bytes: no page of a file.
    func anonymousMemory() throws -> Double {
        let rollup = try contentsOfFile("/proc/\(process.pid)/smaps_rollup", limit: 65_536)
        let line = String(decoding: rollup, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? .nan) * 1024 / 1_000_000
    }

    /// A program that was built with this one.
    static func program(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    }
}
