import Glibc
import TestSupport
import Testing
import Varlink

@testable import JokesControl

/// Every command of jokesctl in every situation of `CommandRow`, with real daemons.
@Suite struct EveryCommandTests {
    /// The output of a command, and the way it ended.
    private struct Answer {
        var ending: ChildProcess.Ending
        var output: String
        var errors: String
    }

    /// A daemon, and the values of the placeholders of a `CommandCase`.
    private struct World {
        let daemon: DaemonUnderTest
        var words: [String: String] = [:]

        init(isBare: Bool) async throws {
            daemon = try await isBare ? DaemonUnderTest() : .serving(["One duck.", "Two ducks\nin two lines."])
            if isBare { return }
            let jokes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
            let id = try #require(jokes.first { $0.setup == "One duck." }).id
            (words["ID"], words["SHORT"]) = (id, id.shortened)
            let head = #"{"format":"jokesd","version":1,"favorites":["#
            let favorite = #"{"id":"mine:1","setup":"My duck.","favoritedAt":"2026-02-28T09:30:00Z"}"#
            words["FILE"] = try daemon.folder.write("\(head)\(favorite)]}", to: "one.json")
            let joke = #"{"id":"mine:2","setup":"My goose.","firstSeen":"2026-02-28T09:30:00Z"}"#
            words["OTHER"] = try daemon.folder.write("\(head)],\"jokes\":[\(joke)]}", to: "joke.json")
            words["NOTHING"] = try daemon.folder.write("\(head)]}", to: "none.json")
        }

        func filled(_ text: String) -> String {
            words.reduce(text) { $0.replacing($1.key, with: $1.value) }
        }

        func arguments(_ test: CommandCase, _ more: [String] = []) -> [String] {
            more + test.arguments.map { words[$0] ?? $0 }
        }

        /// Runs the preparing commands, and then the command of the case.
        func run(_ test: CommandCase, _ row: CommandRow, _ more: [String] = []) async throws -> Answer {
            for command in test.before {
                #expect(try daemon.control(command.map { words[$0] ?? $0 }).ending == .exited(0), "\(command)")
            }
            let arguments = arguments(test, more)
            if row.isEndless && test.status == 0 { return try endless(arguments) }
            var result = try daemon.control(arguments)
            if row.name == "refresh" && test.status == 0 {
                try await waitUntil("the source's rate allowed it") {
                    result = try daemon.control(arguments)
                    return result.ending != .exited(75)
                }
            }
            return Answer(ending: result.ending, output: result.output, errors: result.errors)
        }

        private func endless(_ arguments: [String]) throws -> Answer {
            let process = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket] + arguments)
            _ = try process.output.waitForLines(1)
            process.signal(SIGTERM)
            #expect(try process.waitForEnd() == .killed(signal: SIGTERM))
            return Answer(ending: .exited(0), output: process.output.text, errors: process.errors.text)
        }
    }

    @Test("every command has a row here, and its JSON is documented on the page")
    func complete() throws {
        #expect(CommandRow.all.map(\.name).sorted() == Command.all.map(\.name).sorted())
        let page = Set(
            try PrintedShapes().commands.compactMap { $0.command.split(separator: " ").first.map(String.init) })
        #expect(page == Set(Command.all.filter { $0.group != .hidden }.map(\.name)))
    }

    // MARK: Text

    /// Calls the body for each case, with a daemon for all of them, and another one for those without sources.
    private func forEachCase(_ body: (CommandCase, CommandRow, World) async throws -> Void) async throws {
        let (world, bare) = (try await World(isBare: false), try await World(isBare: true))
        for row in CommandRow.all {
            for test in [row.usual, row.empty, row.refused].compactMap(\.self) {
                try await body(test, row, test.isBare ? bare : world)
            }
        }
    }

    @Test("as text, a command prints its answer, a remark if that is empty, or an error with a hint and an exit code")
    func text() async throws {
        try await forEachCase { test, row, world in check(try await world.run(test, row), test, world) }
    }

    private func check(_ result: Answer, _ test: CommandCase, _ world: World) {
        #expect(result.ending == .exited(test.status), "\(test.arguments): \(result)")
        for word in test.says { #expect(result.output.contains(world.filled(word)), "\(test.arguments): \(result)") }
        if test.says.isEmpty { #expect(result.output.isEmpty, "\(test.arguments)") }
        checkErrors(result, test)
    }

    private func checkErrors(_ result: Answer, _ test: CommandCase) {
        for word in test.complains { #expect(result.errors.contains(word), "\(test.arguments): \(result.errors)") }
        if test.complains.isEmpty {
            #expect(result.errors.isEmpty, "\(test.arguments): \(result.errors)")
        } else {
            #expect(result.errors.hasPrefix("jokesctl: ") && result.errors.hasSuffix("\n"), "\(result.errors)")
        }
    }

    // MARK: JSON

    @Test("as JSON, a command prints the documented output, also if it is empty, and the same errors")
    func json() async throws {
        let shapes = try PrintedShapes()
        try await forEachCase { test, row, world in
            let result = try await world.run(test, row, ["--json"])
            #expect(result.ending == .exited(test.status), "\(test.arguments): \(result)")
            checkErrors(result, test)
            // The page does not have the command that only completion scripts call.
            let shape = shapes.commands.first { $0.command == row.name }?.shape ?? "text"
            if test.status != 0 {
                #expect(result.output.isEmpty)
            } else if shape != "text" {
                try check(result.output, shape, shapes, test, world)
            }
        }
    }

    private func check(
        _ output: String, _ shape: String, _ shapes: PrintedShapes, _ test: CommandCase, _ world: World
    ) throws {
        let isStream = shape.hasPrefix("lines of ")
        let documents =
            try isStream ? output.split(separator: "\n").map { try AnyJSON(String($0)) } : [AnyJSON(output)]
        if let json = test.json, !json.isEmpty { #expect(try documents == [AnyJSON(world.filled(json))]) }
        #expect(documents.isEmpty == (test.json == ""))
        // An export has its own format.
        if shape.hasPrefix("a file") { return }
        for document in documents {
            let complaint = shapes.complaint(document, isStream ? String(shape.dropFirst("lines of ".count)) : shape)
            #expect(complaint == nil, "\(test.arguments): \(output)")
        }
    }

    // MARK: Without a reader

    @Test("a command without a reader does not fail, as text or as JSON")
    func brokenPipe() async throws {
        let world = try await World(isBare: false)
        // The reader ends before the command writes.
        let script = #"exec 3> >(:); wait $!; "$0" "$@" >&3"#
        for row in CommandRow.all where row.name != "refresh" {
            for more in [[], ["--json"]] {
                for command in row.usual.before { _ = try world.daemon.control(command.map { world.words[$0] ?? $0 }) }
                let result = try ChildProcess.run(
                    "/bin/bash",
                    ["-c", script, builtProgram("jokesctl"), "--socket", world.daemon.socket]
                        + world.arguments(row.usual, more), environment: ["PATH": "/usr/bin:/bin"])
                #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(row.name) \(more): \(result)")
            }
        }
    }
}
