import FoundationEssentials
import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// A real jokesd with its own state folder and socket, and the real jokesctl as its client.
final class DaemonUnderTest {
    let folder: TemporaryFolder
    let manager: ManagerSocket
    private(set) var process: ChildProcess!
    private let extraArguments: [String]

    var socket: String { folder.path("s") }
    var state: String { folder.path("state") }

    /// Starts a daemon with this JSON5 configuration, and waits until it reports that it is ready. The state folder, which is
    /// also the home of the daemon, begins as a copy of the folder `files`.
    init(
        configuration: String = #"{"sources": []}"#, arguments: [String] = [], copying files: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        extraArguments = arguments
        manager = try ManagerSocket(folder.path("notify"))
        try folder.write(configuration, to: "config.json")
        if let files { try #require(ChildProcess.run("/bin/cp", ["-R", files, state]).ending == .exited(0)) }
        try start()
    }

    /// Starts a daemon with one source, a fortune file of this name with these jokes.
    static func serving(_ jokes: [String], name: String = "fortunes") async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write(jokes.map { "\($0)\n%\n" }.joined(), to: name)
        try daemon.reload(configuration(fortuneSource(file, name: name)))
        try await daemon.waitForSyncs()
        return daemon
    }

    /// Starts a daemon with 40 jokes, the first of which are favorites; returns the IDs, newest first.
    static func withDucks(favorites: Int) async throws -> (daemon: DaemonUnderTest, ids: [String]) {
        let daemon = try await serving((0..<40).map { "Duck number \($0) crossed the road." })
        let ids = try daemon.json("list", as: [PrintedJoke].self).map(\.id)
        #expect(try daemon.control(["favorite"] + ids.prefix(favorites)).ending == .exited(0))
        return (daemon, ids)
    }

    func favorites() throws -> Set<String> {
        Set(try json("favorites", as: [PrintedJoke].self).map(\.id))
    }

    func status() throws -> PrintedStatus {
        try json("status")
    }

    /// Starts or restarts the daemon on the same state.
    func start() throws {
        process = try ChildProcess(
            builtProgram("jokesd"),
            ["--config", folder.path("config.json"), "--state-dir", state, "--socket", socket] + extraArguments,
            environment: ["NOTIFY_SOCKET": folder.path("notify"), "HOME": state])
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// Sends SIGTERM, and waits until the daemon has ended.
    func stop() throws -> ChildProcess.Ending {
        process.signal(SIGTERM)
        return try process.waitForEnd()
    }

    /// Kills the daemon. Unlike after a power loss, the kernel keeps unsynced writes.
    func kill() throws {
        process.signal(SIGKILL)
        try process.waitForEnd()
    }

    /// Writes and reloads another configuration; waits until the daemon is ready again.
    func reload(_ configuration: String) throws {
        try folder.write(configuration, to: "config.json")
        process.signal(SIGHUP)
        try manager.waitFor("RELOADING=1") { self.process.errors.text }
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// The peak of the resident memory, in kB.
    func peakMemory() throws -> Int {
        try process.memory("VmHWM:")
    }

    /// The names of the daemon's threads while nothing else runs.
    static let ownThreads: Set = ["jokesd", "jokesd-network", "jokesd-store"]

    /// The names of the current threads. It is a set, since a sanitizer has a thread with the program's name.
    func threadNames() throws -> Set<String> {
        let folder = "/proc/\(process.pid)/task"
        let names = try namesInFolder(folder).map { try contentsOfFile("\(folder)/\($0)/comm", limit: 64) }
        return Set(names.map { String(decoding: $0.dropLast(), as: UTF8.self) })
    }

    /// Runs jokesctl with this daemon's socket.
    func control(_ arguments: String...) throws -> ChildProcess.Result {
        try control(arguments)
    }

    func control(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket] + arguments)
    }

    /// Returns the decoded JSON output of a jokesctl command.
    func json<Value: Decodable>(_ arguments: String..., as type: Value.Type = Value.self) throws -> Value {
        try json(arguments)
    }

    func json<Value: Decodable>(_ arguments: [String], as type: Value.Type = Value.self) throws -> Value {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "--json"] + arguments)
        try #require(result.ending == .exited(0), "\(arguments): \(result.errors)")
        return try JSONDecoder().decode(type, from: Data(result.output.utf8))
    }

    /// Waits until every source has been synced, no sync is running, and the watched snapshot shows that.
    func waitForSyncs(_ deadline: Deadline = Deadline()) async throws {
        let connection = try connect()
        try await waitUntil("the syncs ended", deadline) {
            func isSyncing() throws -> Bool { try connection.call(StatusMethod.self, NoParameters()).syncing }
            // Asked first, too, because it costs the daemon far less than its sources.
            if try isSyncing() { return false }
            let sources = try connection.call(SourcesMethod.self, NoParameters()).sources
            let isQuiet = sources.allSatisfy {
                $0.unconfiguredType != nil || !$0.syncing && ($0.lastSuccess != nil || $0.failure != nil)
            }
            return try isQuiet && !isSyncing()
        }
    }

    /// Returns the health of the configured sources.
    func configuredSources() throws -> [PrintedSource] {
        let sources: [PrintedSource] = try json("sources")
        return sources.filter { !["bundled", "imported", "removed"].contains($0.type) }
    }

    /// Returns the health of the configured sources at a moment when each has been synced and no sync is running.
    ///
    /// Later, a failed source may be syncing again.
    func quietSources() async throws -> [PrintedSource] {
        var sources: [PrintedSource] = []
        try await waitUntil("the syncs ended") {
            sources = try configuredSources()
            return sources.allSatisfy(\.isQuiet)
        }
        return sources
    }

    /// True if the watched snapshot shows a running sync. It does so until the sync's result is stored.
    var showsSyncs: Bool {
        get throws { try json("status", as: PrintedStatus.self).syncing }
    }

    /// Connects to the daemon without jokesctl.
    func connect() throws -> JokesConnection {
        let connection = JokesConnection(to: [socket])
        try connection.connect()
        return connection
    }

    /// Overwrites each page of the open database that has more than this number of jokes, but not the page of
    /// favorites.
    func damagePages(moreThan least: Int) throws {
        let path = "\(state)/jokes.sqlite"
        let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDWR | O_CLOEXEC) })
        let bytes = try contentsOfFile(path, limit: 1 << 26)
        for start in stride(from: 4096, to: bytes.count, by: 4096) {
            let page = String(decoding: bytes[start..<start + 4096], as: UTF8.self)
            guard page.ranges(of: "crossed the road").count > least else { continue }
            let garbage = [UInt8](repeating: 0xAA, count: 4096)
            try retrying("write", path) { pwrite(file.rawValue, garbage, 4096, off_t(start)) }
        }
    }

    /// Starts `jokesctl watch --json` and waits for its first line, the snapshot.
    func watch() async throws -> ChildProcess {
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", socket, "--json", "watch"])
        try watcher.output.waitFor("\n")
        return watcher
    }
}

extension ChildProcess {
    /// The memory of the running program, in kB: `VmHWM:` or `VmRSS:` of proc(5).
    func memory(_ key: String) throws -> Int {
        let status = try contentsOfFile("/proc/\(pid)/status", limit: 65536)
        let line = try #require(
            String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
}

/// Returns the configuration of a source of type official-joke-api on this machine.
func officialSource(_ url: String, name: String = "official", interval: String = "6h") -> String {
    #"{"name": "\#(name)", "type": "official-joke-api", "url": "\#(url)", "allowLocalNetwork": true, "interval": "\#(interval)"}"#
}

/// Returns the configuration of a source that reads a fortune file, rated safe by default.
func fortuneSource(_ path: String, name: String = "fortunes", safety: String = "safe") -> String {
    #"{"name": "\#(name)", "type": "fortune", "path": "\#(path)", "safety": "\#(safety)"}"#
}

func configuration(_ sources: String...) -> String {
    #"{"sources": [\#(sources.joined(separator: ", "))]}"#
}
