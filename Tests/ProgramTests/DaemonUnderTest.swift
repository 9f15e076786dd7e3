import FoundationEssentials
import Glibc
import JokesClient
import JokesProtocol
import TestSupport
import Testing
import Unix

/// A real jokesd with a state folder and a socket of its own, and the real jokesctl to talk to it.
final class DaemonUnderTest {
    let folder: TemporaryFolder
    let manager: ManagerSocket
    private(set) var process: ChildProcess!
    private let extraArguments: [String]

    var socket: String { folder.path("s") }
    var state: String { folder.path("state") }

    /// Starts a daemon with the configuration, JSON5, and waits until it says that it is ready.
    init(configuration: String = #"{"sources": []}"#, arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        extraArguments = arguments
        manager = try ManagerSocket(folder.path("notify"))
        try folder.write(configuration, to: "config.json")
        try start()
    }

    /// Starts a daemon with 40 jokes, the first of which are favorites; returns the IDs, newest first.
    static func withDucks(favorites: Int) async throws -> (daemon: DaemonUnderTest, ids: [String]) {
        let daemon = try DaemonUnderTest()
        let text = (0..<40).map { "Duck number \($0) crossed the road.\n%\n" }.joined()
        try daemon.reload(configuration(fortuneSource(try daemon.folder.write(text, to: "ducks"))))
        try await daemon.waitForSyncs()
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

    /// Starts it, for the first time or again, on the same state.
    func start() throws {
        process = try ChildProcess(
            builtProgram("jokesd"),
            ["--config", folder.path("config.json"), "--state-dir", state, "--socket", socket] + extraArguments,
            environment: ["NOTIFY_SOCKET": folder.path("notify")])
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// Asks it to end, and waits until it has.
    func stop() throws -> ChildProcess.Ending {
        process.signal(SIGTERM)
        return try process.waitForEnd()
    }

    /// Ends it as a loss of power would, but for what the kernel holds.
    func kill() throws {
        process.signal(SIGKILL)
        try process.waitForEnd()
    }

    /// Writes another configuration and has it read; waits until the daemon is ready again.
    func reload(_ configuration: String) throws {
        try folder.write(configuration, to: "config.json")
        process.signal(SIGHUP)
        try manager.waitFor("RELOADING=1") { self.process.errors.text }
        try manager.waitFor("READY=1") { self.process.errors.text }
    }

    /// The most memory that it ever had resident, in kB.
    func peakMemory() throws -> Int {
        try memory("VmHWM:")
    }

    /// The memory that it has resident, in kB.
    func residentMemory() throws -> Int {
        try memory("VmRSS:")
    }

    private func memory(_ key: String) throws -> Int {
        let status = try contentsOfFile("/proc/\(process.pid)/status", limit: 65536)
        let line = try #require(
            String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    /// The names of the threads that it has when nothing else uses the processor for it.
    static let ownThreads: Set = ["jokesd", "jokesd-network", "jokesd-store"]

    /// The names of the threads that it has now. A set, since a sanitizer has one of its own that bears the program's name.
    func threadNames() throws -> Set<String> {
        let folder = "/proc/\(process.pid)/task"
        let names = try namesInFolder(folder).map { try contentsOfFile("\(folder)/\($0)/comm", limit: 64) }
        return Set(names.map { String(decoding: $0.dropLast(), as: UTF8.self) })
    }

    /// Runs jokesctl against it.
    func control(_ arguments: String...) throws -> ChildProcess.Result {
        try control(arguments)
    }

    func control(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket] + arguments)
    }

    /// What a command of jokesctl prints as JSON.
    func json<Value: Decodable>(_ arguments: String..., as type: Value.Type = Value.self) throws -> Value {
        try json(arguments)
    }

    func json<Value: Decodable>(_ arguments: [String], as type: Value.Type = Value.self) throws -> Value {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "--json"] + arguments)
        try #require(result.ending == .exited(0), "\(arguments): \(result.errors)")
        return try JSONDecoder().decode(type, from: Data(result.output.utf8))
    }

    /// Waits until every source has been asked, none is being asked any more, and everybody who watches is told so.
    func waitForSyncs() async throws {
        let connection = try connect()
        try await waitUntil("the syncs ended") {
            let sources = try connection.call(SourcesMethod.self, NoParameters()).sources
            let isQuiet = sources.allSatisfy { !$0.syncing && ($0.lastSuccess != nil || $0.failure != nil) }
            return try isQuiet && !connection.call(StatusMethod.self, NoParameters()).syncing
        }
    }

    /// The health of all sources at a moment when each had been asked and none was being asked.
    ///
    /// Later, one that has failed may be being asked again.
    func quietSources() async throws -> [PrintedSource] {
        var sources: [PrintedSource] = []
        try await waitUntil("the syncs ended") {
            sources = try json("sources")
            return sources.allSatisfy(\.isQuiet)
        }
        return sources
    }

    /// Whether those who watch are shown that sources are being asked: they are until what came of it is stored.
    var isTellingOfSyncs: Bool {
        get throws { try json("status", as: PrintedStatus.self).syncing }
    }

    /// A connection of our own.
    func connect() throws -> JokesConnection {
        try JokesConnection(to: [socket])
    }

    /// Starts `jokesctl watch --json` and waits for its first line, the snapshot.
    func watch() async throws -> ChildProcess {
        let watcher = try ChildProcess(builtProgram("jokesctl"), ["--socket", socket, "--json", "watch"])
        try watcher.output.waitFor("\n")
        return watcher
    }
}

/// A source of the configuration that asks an official-joke-api on this machine.
func officialSource(_ url: String, name: String = "official", interval: String = "6h") -> String {
    #"{"name": "\#(name)", "type": "official-joke-api", "url": "\#(url)", "allowLocalNetwork": true, "interval": "\#(interval)"}"#
}

/// A source of the configuration that reads a fortune file, which the test vouches for.
func fortuneSource(_ path: String, name: String = "fortunes", safety: String = "safe") -> String {
    #"{"name": "\#(name)", "type": "fortune", "path": "\#(path)", "safety": "\#(safety)"}"#
}

func configuration(_ sources: String...) -> String {
    #"{"sources": [\#(sources.joined(separator: ", "))]}"#
}
