import Glibc
import JokesCore
import TestSupport
import Testing
import Unix

/// The commands of jokesctl with a real daemon.
@Suite struct ControlTests {
    @Test("an ID can be a unique prefix, and an ambiguous prefix lists its matches")
    func prefixes() throws {
        let daemon = try DaemonUnderTest()
        let jokes: [PrintedJoke] = try daemon.json("list", "--limit", "3")
        #expect(jokes.count == 3)
        let id = jokes[0].id
        #expect(try daemon.control("show", String(id.dropLast(4))).output.contains(jokes[0].setup))
        let ambiguous = try daemon.control("show", "starter:")
        #expect(ambiguous.ending == .exited(1) && ambiguous.output.isEmpty)
        #expect(ambiguous.errors.split(separator: "\n").filter { $0.hasPrefix("  starter~") }.count == 10)
        let unknown = try daemon.control("favorite", "nobody:1")
        #expect(unknown.ending == .exited(1) && unknown.errors.contains("no joke matches 'nobody:1'"))
    }

    @Test("the word last stands for the joke served last, also after a restart")
    func last() throws {
        let daemon = try DaemonUnderTest()
        let none = try daemon.control("favorite", "last")
        #expect(none.ending == .exited(1) && none.errors.contains("no joke was printed yet"))
        let first: PrintedJoke = try daemon.json("random")
        #expect(try daemon.control("favorite", "--full-ids", "last").output.contains(first.id))
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [first.id])
        let second: PrintedJoke = try daemon.json("random")
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.control("show", "--full-ids", "last").output.contains(second.id))
        #expect(try daemon.control("hide", "last").ending == .exited(0))
        #expect(try !daemon.json("list", as: [PrintedJoke].self).map(\.id).contains(second.id))
        #expect(try daemon.control("unhide", "last").ending == .exited(0))
    }

    @Test("a repeated favorite or unfavorite changes nothing")
    func favorites() throws {
        let daemon = try DaemonUnderTest()
        let jokes: [PrintedJoke] = try daemon.json("list", "--limit", "2")
        for _ in 0..<2 {
            #expect(try daemon.control("favorite", jokes[0].id, jokes[1].id).ending == .exited(0))
        }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [jokes[1].id, jokes[0].id])
        #expect(try daemon.control("favorites").output.split(separator: "\n").allSatisfy { $0.hasPrefix("★ ") })
        #expect(try daemon.control("unfavorite", jokes[0].id).ending == .exited(0))
        let again = try daemon.control("unfavorite", jokes[0].id)
        #expect(again.ending == .exited(0) && again.output.contains("was not a favorite"))
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.id) == [jokes[1].id])
    }

    @Test("a list of several pages is printed completely, and a limit is exact")
    func pages() throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write((1...230).map { "Fortune number \($0).\n%\n" }.joined(), to: "f")
        try daemon.reload(configuration(fortuneSource(file)))
        #expect(try daemon.control("refresh").ending != .exited(64))
        let all: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
        #expect(Set(all.map(\.id)).count == 230)
        #expect(
            try daemon.json("list", "--source", "fortunes", "-n", "101", as: [PrintedJoke].self)
                == Array(all.prefix(101)))
    }

    private static let misuses: [(arguments: [String], status: Int32, words: String)] = [
        (["random", "--source", "nobody"], 1, "unknown source 'nobody'"),
        (
            ["random", "--max-length", "1"], 75,
            "no joke to show: no cached joke matches\nLeave out an option, such as --max-length.\n"
        ),
        (["refresh", "nobody"], 1, "unknown source 'nobody'"),
        (["list", "--limit", "none"], 64, "needs a whole number from 1"),
        (["show"], 64, "command 'show' needs an ID"),
        (["status", "now"], 64, "unexpected argument 'now'"),
        (["rnadom"], 64, "Did you mean 'random'?"),
        (["--colour", "never", "list"], 64, "Did you mean '--color'?"),
        (["-n3", "list"], 64, "unknown option '-n'"),
        (["--limit", "3", "status"], 64, "Try: jokesctl help\n"),
        (["--color", "sometimes", "list"], 64, "takes auto, always or never, not 'sometimes'"),
        (["--json"], 64, "no command given"),
        (["list", "--limit", "0", "--limit", "3"], 64, "needs a whole number from 1"),
        (["show", ""], 64, "empty argument for command 'show'"),
        (["random", "--source", ""], 64, "option '--source' needs a value that is not empty"),
        (["search", String(repeating: "duck ", count: 300)], 64, "longer than 1000 bytes"),
        (["refresh"] + Array(repeating: "x", count: 101), 64, "takes at most 100 arguments"),
        (["watch", "--section", "searchResults"], 64, "needs the option '--query'"),
        (["watch", "--section", "jokes", "--query", "duck"], 64, "Try: --section searchResults"),
        (
            ["export", "--json", "--format", "fortune"], 64,
            "options '--json' and '--format fortune' cannot be used together"
        ),
        (["random", "--socket", "tcp:127.0.0.1"], 64, "Use a path, unix:PATH or unix:@NAME"),
        (["random", "--format", "waybar", "--socket", "unix:"], 64, "the socket name is missing"),
        (["watch", "--format", "waybar", "--socket", "unix:"], 64, "the socket name is missing"),
        (["unhide"], 64, "Try: jokesctl hidden"),
        (["list", "--source", "no\nbody"], 1, "unknown source 'no body'"),
        (["export", "--output", "/nowhere/file"], 1, "cannot create /nowhere/file: no such file or directory"),
        (["export", "--output", "/no where/file"], 1, "Try: mkdir -p '/no where'"),
        (["import", "/dev/null"], 1, "the file is empty\nNothing was imported.\n"),
    ]

    @Test("each missing joke or source has a message and an exit code")
    func misuse() throws {
        let daemon = try DaemonUnderTest()
        for (arguments, status, words) in Self.misuses {
            let result = try daemon.control(arguments)
            #expect(result.ending == .exited(status) && result.output.isEmpty, "\(arguments)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
            #expect(result.errors.hasPrefix("jokesctl: "), "\(arguments)")
        }
    }

    @Test("if a source has no joke to show, the message gives the reason")
    func nothingOfSource() throws {
        let folder = try TemporaryFolder()
        let odd = try folder.write("Odd duck.\n%\nOdd goose.\n%\n", to: "odd")
        let daemon = try DaemonUnderTest(
            configuration: configuration(
                fortuneSource(odd, name: "odd", safety: "unsafe"),
                #"{"name": "off", "type": "jokeapi", "enabled": false}"#))
        #expect(try daemon.control("refresh", "odd").ending != .exited(69))
        let rows = [
            ("odd", "all cached jokes of 'odd' are hidden, duplicates or excluded by the filter"),
            ("off", "no jokes of 'off' are cached yet\n"),
        ]
        for (source, reason) in rows {
            let result = try daemon.control("random", "--source", source)
            #expect(result.ending == .exited(75))
            #expect(result.errors.contains("no joke to show: \(reason)"), "\(result.errors)")
        }
    }

    @Test("--version after a command prints the version and does not run the command")
    func version() throws {
        let daemon = try DaemonUnderTest()
        let result = try daemon.control("random", "--version")
        #expect(result.ending == .exited(0) && result.output == "jokesctl \(jokesdVersion)\n")
    }

    @Test("the message for an unreachable daemon says how to start it")
    func away() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path("none"), try folder.write("", to: "file") + "/below"] {
            let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", path, "status"])
            #expect(result.ending == .exited(69))
            #expect(result.errors.contains("Start the daemon: jokesd --socket \(path) &"), "\(result.errors)")
        }
    }

    @Test("every command prints JSON with --json, before or after the command")
    func json() throws {
        let daemon = try DaemonUnderTest()
        for command in ["random", "list", "favorites", "sources", "status"] {
            let before = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", daemon.socket, "--json", command])
            let after = try ChildProcess.run(builtProgram("jokesctl"), [command, "--json", "--socket", daemon.socket])
            for result in [before, after] {
                #expect(result.ending == .exited(0))
                #expect(result.output.hasPrefix("{") || result.output.hasPrefix("["), "\(command): \(result.output)")
            }
        }
    }

    @Test("a reader that stops early is not an error")
    func brokenPipe() throws {
        let daemon = try DaemonUnderTest()
        let script = #""$1" --socket "$2" list | head -n 1"#
        let result = try ChildProcess.run(
            "/bin/bash", ["-o", "pipefail", "-c", script, "sh", builtProgram("jokesctl"), daemon.socket],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.ending == .exited(0) && result.errors.isEmpty)
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test("help is printed for the program and for each command, with --help, -h and help")
    func help() throws {
        let program = builtProgram("jokesctl")
        let help = try ChildProcess.run(program, ["--help"])
        #expect(help.ending == .exited(0) && help.errors.isEmpty)
        #expect(try ChildProcess.run(program, ["help"]).output == help.output)
        let commands = help.output.split(separator: "\n").prefix { $0 != "Options:" }
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map { String($0.split(separator: " ")[0]) }
        #expect(commands.count >= 16)
        for command in commands {
            let page = try ChildProcess.run(program, ["help", command])
            #expect(page.ending == .exited(0) && page.output.hasPrefix("Usage: jokesctl \(command)"))
            for words in [[command, "--help"], ["--help", command], [command, "-h", "too", "many"]] {
                #expect(try ChildProcess.run(program, words).output == page.output, "\(words)")
            }
        }
    }
}
