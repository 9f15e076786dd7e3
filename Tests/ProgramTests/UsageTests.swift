import JokesCore
import TestSupport
import Testing

/// jokesctl without a command, its aliases, and the ways to ask for help and for the version.
@Suite struct UsageTests {
    private func control(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesctl"), arguments)
    }

    @Test("without a command, jokesctl prints a short usage and the state of the daemon in one line")
    func overview() async throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("One duck.\n%\nTwo ducks.\n", to: "f")
        try daemon.reload(configuration(fortuneSource(file), fortuneSource("/nowhere/f", name: "gone")))
        _ = try await daemon.quietSources()
        let result = try daemon.control()
        #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(result)")
        #expect(result.output.hasPrefix("Usage: jokesctl [OPTION...] COMMAND\n\n  random "))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count <= 10 && lines.allSatisfy { $0.count <= 120 }, "\(result.output)")
        let state = try #require(lines.last)
        let shown = try daemon.json("list", as: [PrintedJoke].self).count
        #expect(state.hasPrefix("jokesd: \(shown) shown of "), "\(state)")
        #expect(state.contains(", failing: gone; 'jokesctl status' shows more"), "\(state)")
        // No joke was served.
        #expect(try daemon.control("show", "last").ending == .exited(1))
    }

    @Test("without a command and without a daemon, jokesctl says how to start the daemon, and the exit code is 0")
    func away() throws {
        let folder = try TemporaryFolder()
        let result = try control(["--socket", folder.path("none")])
        #expect(result.ending == .exited(0) && result.errors.isEmpty)
        let state = "jokesd: cannot connect to the daemon at \(folder.path("none")): no such file or directory\n"
        #expect(result.output.hasSuffix("\n\n\(state)Start the daemon: jokesd --socket \(folder.path("none")) &\n"))
        #expect(try control(["--socket", "tcp:1"]).ending == .exited(64))
    }

    @Test(
        "the version is printed by -V, --version and version, and the command of the option does not run",
        arguments: [["-V"], ["--version"], ["version"], ["random", "--version"]])
    func version(words: [String]) throws {
        let result = try control(words)
        #expect(result.ending == .exited(0) && result.output == "jokesctl \(jokesdVersion)\n")
    }

    @Test(
        "an alias is another name of its command, also for the help",
        arguments: [("ls", "list"), ("fav", "favorite"), ("unfav", "unfavorite"), ("s", "search")])
    func aliases(alias: String, name: String) throws {
        let page = try control(["help", name]).output
        #expect(page.contains("\n\nAlias: \(alias).\n"))
        #expect(try control(["help", alias]).output == page)
        #expect(
            try control(["--help"]).output.split(separator: /\s+/).joined(separator: " ").contains(
                "\(alias) for \(name)"))
        let daemon = try DaemonUnderTest()
        let id = try daemon.json("list", "--limit", "1", as: [PrintedJoke].self)[0].id
        let word = name == "list" ? "--limit=3" : name == "search" ? "the" : id
        #expect(try daemon.control(alias, word).output == daemon.control(name, word).output)
    }

    @Test("--help and -h print the help of the command in every position")
    func help() throws {
        let page = try control(["help", "show"]).output
        for words in [["show", "a", "b"], ["show", ""], ["--no-pager", "show"], ["show", "--format", "{nope}"]] {
            #expect(try control(words).ending == .exited(64), "\(words)")
            for option in ["--help", "-h"] {
                for place in 0...words.count {
                    var asked = words
                    asked.insert(option, at: place)
                    // The value of an option may be any word.
                    if place > 0 && words[place - 1] == "--format" { continue }
                    let result = try control(asked)
                    #expect(result.ending == .exited(0) && result.output == page, "\(asked): \(result)")
                }
            }
        }
        let general = try control(["--help"]).output
        #expect(try control(["--json", "-h"]).output == general)
        // After --, there are no options.
        #expect(try control(["show", "--", "a", "--help"]).ending == .exited(64))
    }

    @Test(
        "the tables of the manual pages are those of the help",
        .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
    func current() throws {
        let programs = builtProgram("jokesd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let result = try ChildProcess.run(
            try #require(SystemPython.path),
            [SystemPython.checkoutPath("scripts/generate-manual"), "--check", programs])
        #expect(result.ending == .exited(0), "\(result.output)\n\(result.errors)")
    }
}
