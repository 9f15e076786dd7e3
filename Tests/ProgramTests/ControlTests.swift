import Glibc
import JokesCore
import TestSupport
import Testing
import Unix

/// The commands of jokesctl with a real daemon.
@Suite struct ControlTests {
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

    private static let misuses: [(arguments: [String], status: Int32, words: String)] = [
        (["rnadom"], 64, "Did you mean 'random'?"),
        (["--colour", "never", "list"], 64, "Did you mean '--color'?"),
        (["-n3", "list"], 64, "unknown option '-n'"),
        (["--limit", "3", "status"], 64, "Try: jokesctl help\n"),
        (["--color", "sometimes", "list"], 64, "takes auto, always or never, not 'sometimes'"),
        (["--json"], 64, "no command given"),
        (["favorites", "--favorites"], 64, "unknown option '--favorites'"),
        (["list", "--not-source", "starter,"], 64, "option '--not-source' needs"),
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
}
