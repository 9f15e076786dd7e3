import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Measuring
import TestSupport
import Unix

/// Measures how the daemon serves a new client and a short source, and how it stops, under load. See README.md.
@main
enum LoadBenchmark {
    private static let mostCalls = 300
    private static let longest = Duration.seconds(8)

    static func main() async {
        _ = raiseDescriptorLimit(to: 8192)
        let parts =
            Scenario.all.map { (name: $0.name, summary: $0.summary) }
            + SourceScenario.all.map { (name: $0.name, summary: "12 sources: \($0.summary)") }
        await BenchmarkProgram("LoadBenchmark", parts: parts).run { options, folder in
            func isChosen(_ name: String) -> Bool { options.only.isEmpty || options.only.contains(name) }
            func report(_ outcomes: [Outcome]) {
                for outcome in outcomes { print(options.json ? outcome.json : outcome.line) }
                fflush(nil)
            }
            let scenarios = Scenario.all.filter { isChosen($0.name) }
            if !scenarios.isEmpty {
                let cache = try await Cache(folder: folder, jokes: options.jokes)
                for scenario in scenarios { report(try measure(scenario, cache)) }
            }
            for scenario in SourceScenario.all where isChosen(scenario.name) {
                report(try scenario.measure(in: folder))
            }
        }
    }

    private static func measure(_ scenario: Scenario, _ cache: Cache) throws -> [Outcome] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let clients = try LoadClients(of: daemon.socket)
        let changes = scenario.changesJokes ? try FavoriteCalls(to: daemon) : nil
        try scenario.begin(clients)
        var times: [Double] = []
        let end = ContinuousClock.now.advanced(by: longest)
        while times.count < mostCalls && ContinuousClock.now < end {
            // The answer comes after the change is stored, and watchers are notified after the answer.
            try changes?.call()
            times.append(try milliseconds { try callStatus(of: daemon) })
            // The load must last longer than the calls of a client that does nothing else.
            usleep(3000)
        }
        if scenario.hangsUp { try scenario.begin(clients) }
        let memory = try daemon.measuredProcess.peakMemory()
        let exit = try milliseconds { try daemon.stop() }
        clients.end()
        let sorted = times.sorted()
        return [
            Outcome(scenario.name, "Status on a new connection, p99", sorted[sorted.count * 99 / 100], bar: 50, "ms"),
            Outcome(scenario.name, "memory, peak", memory, bar: 64, "MB"),
            Outcome(scenario.name, "from SIGTERM to exit", exit, bar: 1000, "ms"),
        ]
    }

    private static func callStatus(of daemon: MeasuredDaemon) throws {
        let client = try RawClient(daemon.socket)
        defer { client.close() }
        try client.send(Scenario.call("Status"))
        guard try client.receive() != nil else { throw SystemError("call", "Status", code: EPIPE) }
    }
}

/// A figure and its limit.
struct Outcome {
    private let scenario: String
    private let what: String
    private let figure: Double
    private let bar: Double
    private let unit: String

    init(_ scenario: String, _ what: String, _ figure: Double, bar: Double, _ unit: String) {
        self.scenario = scenario
        self.what = what
        self.figure = figure
        self.bar = bar
        self.unit = unit
    }

    private var word: String { figure <= bar ? "holds" : "FAILS" }
    private var rounded: Double { (figure * 10).rounded() / 10 }

    var line: String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return padded(scenario, 9) + padded(what, 36) + padded("\(rounded) \(unit)", 14)
            + padded("limit \(Int(bar)) \(unit)", 14) + word
    }

    var json: String {
        #"{"scenario":"\#(scenario)","what":"\#(what)","unit":"\#(unit)","figure":\#(rounded),"bar":\#(bar),"#
            + #""outcome":"\#(word)"}"#
    }
}

/// A client that adds and removes one favorite in turns.
private final class FavoriteCalls {
    private let client: JokesConnection
    private let id: String
    private var isFavorite = false

    init(to daemon: MeasuredDaemon) throws {
        client = try daemon.connect()
        id = try client.call(ListMethod.self, ListMethod.Parameters(limit: 1)).jokes[0].id.rawValue
    }

    func call() throws {
        if isFavorite {
            _ = try client.call(UnfavoriteMethod.self, JokeIDs(ids: [id]))
        } else {
            _ = try client.call(FavoriteMethod.self, .init(ids: [id]))
        }
        isFavorite.toggle()
    }
}
