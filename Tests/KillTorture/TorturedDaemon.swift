import Glibc
import TestSupport
import Unix

/// A real jokesd that is killed and started again on one state folder.
final class TorturedDaemon {
    /// What the process held of the database when it was stopped, to be looked at and killed.
    struct Locks {
        var writes = false
        var checkpoints = false
        var recovers = false
    }

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

    /// Kills it where it is. False where it had ended by itself.
    func kill() throws -> Bool {
        process.signal(SIGKILL)
        return try process.waitForEnd() == .killed(signal: SIGKILL)
    }

    /// Stops it where it is, looks, and kills it there. Nil where it had ended by itself.
    func lookAndKill() throws -> Locks? {
        process.signal(SIGSTOP)
        let deadline = Deadline()
        while let life = try? stateOfProcess(), life != "T", life != "Z" {
            if deadline.isPast { throw DeadlinePassed("the daemon stopped") }
            sched_yield()
        }
        let locks = try locks()
        return try kill() ? locks : nil
    }

    /// What it said while it lived.
    var words: String {
        process.errors.text
    }

    /// The letter that proc(5) has for what a process does.
    private func stateOfProcess() throws -> Character? {
        let text = String(decoding: try contentsOfFile("/proc/\(process.pid)/stat", limit: 4096), as: UTF8.self)
        return text.split(separator: ")").last?.split(separator: " ").first?.first
    }

    /// SQLite's locks are bytes of the file of shared memory: 120 to write, 121 to bring the log into the file, 122 to
    /// read the log anew.
    private func locks() throws -> Locks {
        var facts = stat()
        guard stat("\(state)/jokes.sqlite-shm", &facts) == 0 else { return Locks() }
        var locks = Locks()
        for line in String(decoding: try contentsOfFile("/proc/locks", limit: 1 << 20), as: UTF8.self).split(
            separator: "\n")
        {
            let fields = line.split(separator: " ")
            guard fields.count >= 8, fields[3] == "WRITE", fields[4] == "\(process.pid)",
                fields[5].split(separator: ":").last == "\(facts.st_ino)", let first = Int(fields[6]),
                let last = Int(fields[7])
            else { continue }
            locks.writes = locks.writes || (first...last).contains(120)
            locks.checkpoints = locks.checkpoints || (first...last).contains(121)
            locks.recovers = locks.recovers || (first...last).contains(122)
        }
        return locks
    }
}
