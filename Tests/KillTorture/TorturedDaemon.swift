import Glibc
import TestSupport

/// A real jokesd that is killed and started again on one state folder.
final class TorturedDaemon {
    private let folder: TemporaryFolder
    private let manager: ManagerSocket
    private var process: ChildProcess!
    let state: String

    /// Keeps its state in the folder, which is made, or else in one of its own.
    init(configuration: String, state: String?) throws {
        folder = try TemporaryFolder()
        self.state = state ?? folder.path("state")
        manager = try ManagerSocket(folder.path("notify"))
        try folder.write(configuration, to: "config.json")
        mkdir(self.state, 0o700)
    }

    var socket: String { folder.path("s") }

    /// Starts it, and does not wait.
    func spawn() throws {
        manager.discardAll()
        process = try ChildProcess(
            builtProgram("jokesd"), ["--config", folder.path("config.json"), "--state-dir", state, "--socket", socket],
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
    }

    /// Waits until it says that it is ready.
    func waitUntilReady() throws {
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// Asks it to end, and does not wait.
    func terminate() {
        process.signal(SIGTERM)
    }

    /// Kills it; returns false if it had already ended.
    func kill() throws -> Bool {
        process.signal(SIGKILL)
        return try process.waitForEnd() == .killed(signal: SIGKILL)
    }

    /// The lines that it wrote to standard error.
    var words: String {
        process.errors.text
    }
}
