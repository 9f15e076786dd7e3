import JokesCore
import JokesProtocol
import TestSupport
import Unix
import Varlink

/// Random changes of the jokes that a daemon shows.
final class RandomEdits {
    let daemon: DaemonUnderTest
    private let files: TemporaryFolder
    private var random: SplitMix64
    private var caller: VarlinkClient
    /// IDs of jokes that were shown at some time.
    private var known: [String] = []

    private static let sources = ["ducks", "geese", "cats", "robots"]
    private static let nouns = ["duck", "goose", "cat", "robot", "Gänsefüßchen", "🦆"]

    /// Starts a daemon with five files of jokes, and lists some of the IDs.
    init(seed: UInt64) async throws {
        random = SplitMix64(seed: seed)
        files = try TemporaryFolder()
        for name in Self.sources { try files.write(Self.jokes(&random), to: name) }
        try files.write(Self.epics, to: "epics")
        daemon = try DaemonUnderTest(configuration: Self.configuration(files, &random))
        caller = try VarlinkClient(connectingTo: daemon.socket)
        try await daemon.waitForSyncs()
        try learnIDs()
    }

    /// Makes one change, and does not always wait until it is complete.
    func edit() throws {
        switch random.int(in: 0..<100) {
        case 0..<32: try mark(FavoriteMethod.self, FavoriteMethod.Parameters(ids: [anyID()], note: note()))
        case 32..<50: try mark(UnfavoriteMethod.self, JokeIDs(ids: [anyID()]))
        case 50..<64: try mark(HideMethod.self, JokeIDs(ids: [anyID()]))
        case 64..<80: try mark(UnhideMethod.self, JokeIDs(ids: [anyID()]))
        case 80..<96: try rewriteFile()
        case 96..<98: try daemon.reload(Self.configuration(files, &random))
        default: try learnIDs()
        }
    }

    /// Waits until all changes are complete.
    func finish() async throws {
        _ = try caller.call(StatusMethod.fullName, returning: StatusMethod.Reply.self)
        try await daemon.waitForSyncs()
    }

    /// Kills and restarts the daemon, which begins another epoch.
    func restart() throws {
        try daemon.kill()
        try daemon.start()
        caller = try VarlinkClient(connectingTo: daemon.socket)
    }

    private func anyID() -> String {
        known.randomElement(using: &random) ?? "nobody:1"
    }

    private func note() -> String? {
        let note = "for \(Self.nouns.randomElement(using: &random) ?? "")\n\(random.int(in: 0..<100))"
        return [nil, nil, "", note][random.int(in: 0..<4)]
    }

    private func mark<Method: JokesMethod>(_ method: Method.Type, _ parameters: Method.Parameters) throws {
        if random.chance(2, in: 3) { return try caller.callOneway(method.fullName, parameters) }
        do {
            _ = try caller.call(method.fullName, parameters, returning: Method.Reply.self)
        } catch VarlinkError.refused {
            // The joke is hidden, excluded by the filter, or removed.
        }
    }

    /// Replaces the jokes of a source and refreshes it, with or without waiting.
    private func rewriteFile() throws {
        let name = Self.sources[random.int(in: 0..<Self.sources.count)]
        try files.write(Self.jokes(&random), to: name)
        let parameters = RefreshMethod.Parameters(sources: [name])
        if random.chance(1, in: 2) {
            let replies = try caller.stream(
                RefreshMethod.fullName, parameters, returning: RefreshMethod.Reply.self)
            while try replies.next() != nil {}
            try learnIDs()
        } else {
            try caller.callOneway(RefreshMethod.fullName, parameters)
        }
    }

    private func learnIDs() throws {
        let parameters = ListMethod.Parameters(limit: 40)
        let list = try caller.call(ListMethod.fullName, parameters, returning: ListMethod.Reply.self)
        let listed = list.jokes.map(\.id.rawValue)
        // Usually shown jokes, since other jokes have few changes left.
        known = listed + known.filter { !listed.contains($0) }.prefix(40)
    }

    private static func jokes(_ random: inout SplitMix64) -> String {
        let numbers = (0..<120).filter { _ in random.chance(1, in: 4) }.shuffled(using: &random)
        return numbers.map { joke($0, &random) + "\n%\n" }.joined()
    }

    /// Returns one of three variants of a joke, of very different lengths. Several files may have the joke.
    private static func joke(_ number: Int, _ random: inout SplitMix64) -> String {
        let noun = nouns[number % nouns.count]
        let ending = String(repeating: " And on it went.", count: number % 7 * random.int(in: 0..<3) * 3)
        return number % 3 == 0
            ? "Q: Why did \(noun) number \(number) cross the road?\nA: It did not say.\(ending)"
            : "A \(noun) of \(number) walks into a bar.\(ending)"
    }

    /// Jokes that do not fit into one message, if the filter includes them.
    private static var epics: String {
        (0..<100).map { "Epic \($0):\(String(repeating: " It goes on.", count: 155))\n%\n" }.joined()
    }

    private static func configuration(_ files: TemporaryFolder, _ random: inout SplitMix64) -> String {
        let sources = (self.sources + ["epics"]).map { fortuneSource(files.path($0), name: $0) }.joined(separator: ", ")
        let words = random.chance(1, in: 3) ? "\"\(nouns[random.int(in: 0..<nouns.count - 1)])\"" : ""
        return """
            {"sources": [\(sources)],
             "filter": {"words": [\(words)], "maxLength": \([100, 500, 2000][random.int(in: 0..<3)])},
             "feed": {"size": \(random.int(in: 1..<120)), "placeholders": \(random.int(in: 0..<12))}}
            """
    }
}
