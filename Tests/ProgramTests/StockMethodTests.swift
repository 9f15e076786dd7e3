import JSON
import TestSupport
import Testing
import Varlink

/// Every method of the daemon, called by clients from other projects.
@Suite struct StockMethodTests {
    private let riddles: TemporaryFolder
    private let daemon: DaemonUnderTest
    private let server: LoopbackServer

    init() async throws {
        server = try LoopbackServer()
        server.route("/jokes", .json(#"["A goose walks into a bar."]"#))
        riddles = try TemporaryFolder()
        let file = try riddles.write("A duck walks into a bar.\n%\n", to: "riddles")
        daemon = try DaemonUnderTest(configuration: configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
    }

    private func parameters(of call: StockCall) throws -> String {
        let id = try #require(try daemon.json("list", "--limit", "1", as: [PrintedJoke].self).first?.id)
        return call.parameters.replacing("$ID", with: id).replacing("$URL", with: "\(server.url)/jokes")
    }

    private func check(_ reply: AnyJSON?, of call: StockCall) {
        guard case .reply(let member) = call.outcome else {
            Issue.record("\(call) is answered")
            return
        }
        let hasAnswered = member.map { reply?[$0] != nil } ?? (reply == .object([:]))
        #expect(hasAnswered, "\(call): \(reply ?? .null)")
    }

    @Test(
        "the calls cover every method and every error, except errors that need a broken disk, a broken configuration or a failed start"
    )
    func table() throws {
        let (methods, errors) = try StockCall.described(by: daemon)
        #expect(Set(StockCall.all.map(\.method)) == methods)
        let elsewhere = Set(
            ["StorageUnavailable", "CannotStart", "ConfigurationRefused"].map { "org.jokesd.Jokes.\($0)" })
        let met = Set(StockCall.wrong.compactMap(\.outcome.errorName)).union(elsewhere)
        #expect(errors.filter { $0.hasPrefix("org.jokesd.Jokes.") }.subtracting(met) == [])
        #expect(met.isSubset(of: errors))
    }

    // MARK: The Python package

    private struct Answer: Decodable {
        var reply: AnyJSON?
        var error: String?
    }

    /// Returns the answers to the calls, each with or without `more`.
    private func python(_ calls: [(StockCall, more: Bool)]) throws -> [Answer] {
        let list = AnyJSON.array(
            try calls.map { call, more in
                .array([.string(call.method), try AnyJSON(try parameters(of: call)), .bool(more)])
            })
        let result = try ChildProcess.run(
            try #require(VarlinkPython.path),
            SystemPython.arguments("stock_calls.py", ["unix:\(daemon.socket)", try JSONEncoding.text(of: list)]))
        try #require(result.ending == .exited(0), "\(result.errors)")
        return try result.output.split(separator: "\n").map {
            try JSONDocument(Array($0.utf8)).root.decode(Answer.self)
        }
    }

    @Test(
        "Python's varlink calls every method, with and without more, and decodes every answer",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonCalls() throws {
        let calls = StockCall.all.flatMap { [($0, more: false), ($0, more: true)] }
        let answers = try python(calls)
        try #require(answers.count == calls.count)
        for (answer, (call, _)) in zip(answers, calls) {
            #expect(answer.error == nil, "\(call)")
            check(answer.reply, of: call)
        }
    }

    @Test(
        "Python's varlink gets every error by its name",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonErrors() throws {
        let answers = try python(StockCall.wrong.map { ($0, more: false) })
        try #require(answers.count == StockCall.wrong.count)
        for (answer, call) in zip(answers, StockCall.wrong) {
            #expect(answer.error == call.outcome.errorName, "\(call)")
            if answer.error == nil { check(answer.reply, of: call) }
        }
    }

    // MARK: varlinkctl

    private static let systemd: ConditionTrait = .enabled(if: Varlinkctl.path != nil, "\(Varlinkctl.skipReason)")

    private func varlinkctlArguments(_ call: StockCall, _ options: [String]) throws -> [String] {
        // Without a terminal, varlinkctl prints JSON on one line only with this option.
        ["--json=short"] + options + ["call", "unix:\(daemon.socket)", call.method, try parameters(of: call)]
    }

    @Test("varlinkctl lists both interfaces, and calls every method", systemd)
    func varlinkctlCalls() throws {
        let varlinkctl = try #require(Varlinkctl.path)
        let info = try ChildProcess.run(varlinkctl, ["info", "unix:\(daemon.socket)"])
        #expect(info.output.contains("org.jokesd.Jokes") && info.output.contains("org.varlink.service"), "\(info)")
        for call in StockCall.all {
            let result = try ChildProcess.run(varlinkctl, try varlinkctlArguments(call, []))
            #expect(result.ending == .exited(0), "\(call): \(result.errors)")
            check(try AnyJSON(result.output), of: call)
        }
        for call in StockCall.wrong {
            let result = try ChildProcess.run(varlinkctl, try varlinkctlArguments(call, []))
            guard let name = call.outcome.errorName else { continue }
            #expect(result.ending != .exited(0) && result.errors.contains(name), "\(call): \(result)")
        }
    }

    @Test("varlinkctl streams replies", systemd, arguments: ["Refresh", "Watch"])
    func varlinkctlStreams(_ name: String) async throws {
        let call = try #require(StockCall.all.first { $0.method == "org.jokesd.Jokes.\(name)" })
        let process = try ChildProcess(try #require(Varlinkctl.path), try varlinkctlArguments(call, ["--more"]))
        guard case .reply(let member?) = call.outcome else { return }
        try process.output.waitFor("\"\(member)\"")
    }

    private func python(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(try #require(VarlinkPython.path), ["-m", "varlink.cli"] + arguments)
    }

    @Test(
        "Python's varlink prints the service information and the interface with its comments",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonDescribes() throws {
        let info = try python("info", "unix:\(daemon.socket)")
        #expect(info.output.contains("jokesd") && info.output.contains("org.jokesd.Jokes"), "\(info)")
        let help = try python("help", "unix:\(daemon.socket)/org.jokesd.Jokes")
        for line in ["interface org.jokesd.Jokes", "method Random(", "error NoSuchJoke", "# [Supports 'more' flag]"] {
            #expect(help.output.contains(line), "\(line): \(help)")
        }
    }

    @Test(
        "Python's varlink watches: it gets the snapshot, and then a favorite as a difference",
        .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
    func pythonWatches() throws {
        let watcher = try ChildProcess(
            try #require(VarlinkPython.path),
            ["-m", "varlink.cli", "call", "--more", "unix:\(daemon.socket)/org.jokesd.Jokes.Watch", "{}"],
            environment: ["PYTHONUNBUFFERED": "1"])
        try watcher.output.waitFor("\"snapshot\"")
        let joke = try #require(try daemon.json("list", as: [PrintedJoke].self).last)
        #expect(try daemon.control("favorite", joke.id).ending == .exited(0))
        try watcher.output.waitFor("\"favorite/\(joke.id)\"")
        try watcher.output.waitFor("\"insertedSections\"")
        #expect(watcher.errors.text.isEmpty)
    }
}
