import Glibc
import TestSupport

/// A real jokesd that is killed and restarted on one state folder.
final class TorturedDaemon {
    private let folder: TemporaryFolder
    private let manager: ManagerSocket
    private var process: ChildProcess!
    let state: String

    /// Keeps the state in this folder, which is created, or in a folder of its own.
    init(configuration: String, state: String?) throws {
        folder = try TemporaryFolder()
        self.state = state ?? folder.path("state")
        manager = try ManagerSocket(folder.path("notify"))
        try folder.write(configuration, to: "config.json")
        mkdir(self.state, 0o700)
    }

    var socket: String { folder.path("s") }

    /// Starts the daemon without waiting.
    func spawn() throws {
        manager.discardAll()
        process = try ChildProcess(
            builtProgram("jokesd"), ["--config", folder.path("config.json"), "--state-dir", state, "--socket", socket],
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
    }

    /// Waits until the daemon reports that it is ready.
    func waitUntilReady() throws {
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// Sends SIGTERM without waiting.
    func terminate() {
        process.signal(SIGTERM)
    }

    /// Kills the daemon; returns false if it had already ended.
    func kill() throws -> Bool {
        process.signal(SIGKILL)
        return try process.waitForEnd() == .killed(signal: SIGKILL)
    }

    /// The lines on standard error.
    var words: String {
        process.errors.text
    }
}
