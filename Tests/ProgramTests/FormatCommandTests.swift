import TestSupport
import Testing

/// The option `--format` of every command that prints jokes, with a real daemon.
@Suite struct FormatCommandTests {
    /// A joke of two lines that needs escapes in a shell, JSON and markup.
    private static let joke = "It's \"one\" <b>duck</b>\n& $(two) \\ducks."

    @Test("every command that prints jokes uses the format, and ends each joke with a line feed or NUL")
    func commands() async throws {
        let daemon = try await DaemonUnderTest.serving([Self.joke])
        let joke = try #require(try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).first)
        let template = "{source}{t}{text:line}{{{star}}}"
        let due = "fortunes\t" + #"It's "one" <b>duck</b> & $(two) \ducks.{"#
        let commands = [
            ["random", "--source", "fortunes"], ["list", "--source", "fortunes"], ["search", "one two ducks"],
            ["show", joke.id],
        ]
        for command in commands {
            let result = try daemon.control(command + ["--format", template])
            #expect(result.ending == .exited(0) && result.output == "\(due)}\n", "\(command): \(result)")
            let ended = try daemon.control(command + ["-0", "--format", "{setup}"])
            #expect(ended.output == "\(joke.setup)\0", "\(command)")
        }
        #expect(try daemon.control("favorites", "--format", template).output.isEmpty)
        #expect(try daemon.control("favorite", "--note", "for Ann", joke.id).ending == .exited(0))
        let favorites = try daemon.control("favorites", "--format", template + "{note}")
        #expect(favorites.ending == .exited(0) && favorites.output == "\(due)★}for Ann\n")
        #expect(try daemon.control("list", "--source", "fortunes", "--format", template).output == "\(due)★}\n")
    }

    @Test("the format keeps the order of the jokes")
    func order() async throws {
        let daemon = try await DaemonUnderTest.serving((1...150).map { "Duck number \($0)." })
        let ids = try daemon.control("list", "--format", "{id}").output.split(separator: "\n").map(String.init)
        #expect(try ids == daemon.json("list", as: [PrintedJoke].self).map(\.id) && ids.count >= 230)
        let limited = try daemon.control("list", "--format", "{id}", "-n", "101").output
        #expect(limited.split(separator: "\n").map(String.init) == Array(ids.prefix(101)))
        let found = try daemon.control("search", "duck", "--format", "{id}").output.split(separator: "\n").map(
            String.init)
        #expect(try found == daemon.json("search", "duck", as: [PrintedSearchResult].self).map(\.joke.id))
    }

    @Test("a shell script reads each joke unchanged")
    func script() async throws {
        let daemon = try await DaemonUnderTest.serving([Self.joke])
        let setup = try #require(try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).first?.setup)
        let script =
            #"eval "joke=$("$0" --socket "$1" random --source fortunes --format {text:sh})"; printf %s "$joke""#
        let result = try ChildProcess.run(
            "/bin/sh", ["-c", script, builtProgram("jokesctl"), daemon.socket], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.output == setup && result.errors.isEmpty)
    }

    @Test(
        "a wrong format or combination of options is refused with a hint, before the daemon is called",
        arguments: [
            (
                ["list", "--format", "{setpu}"],
                "unknown field '{setpu}' at character 1 of the format", "Did you mean '{setup}'?"
            ),
            (["show", "x", "--format", "setup"], "unknown format 'setup'", "Did you mean '{setup}'?"),
            (["favorites", "--format", "{{}}"], "has no field", "Fields: {setup}"),
            (["list", "--format", "waybar"], "unknown format 'waybar'", "Fields: {setup}"),
            (["random", "--format", "wayber"], "unknown format 'wayber'", "Did you mean 'waybar'?"),
            (["watch", "--format", "i3block"], "unknown format 'i3block'", "Did you mean 'i3blocks'?"),
            (["watch", "--format", "zzzzzzzz"], "unknown format 'zzzzzzzz'", "Formats: waybar i3blocks"),
            (["list", "--json", "--format", "{id}"], "'--json' and '--format'", "jokesctl help list"),
            (["list", "--null"], "'--null' needs the option '--format'", "jokesctl help list"),
            (
                ["random", "--null", "--format", "waybar"], "'--null' and '--format waybar' cannot be used together",
                "jokesctl help random"
            ),
            (
                ["random", "--single-line", "--json"], "'--single-line' and '--json' cannot be used together",
                "{text:line}"
            ),
            (
                ["random", "--single-line", "--format", "{id}"],
                "'--single-line' and '--format' cannot be used together",
                "{text:line}"
            ),
            (["list", "--format", "{\u{1B}[2J}"], "unknown field '{\u{FFFD}[2J}'", "Fields: {setup}"),
        ])
    func refused(arguments: [String], message: String, hint: String) throws {
        let folder = try TemporaryFolder()
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", folder.path("none")] + arguments)
        #expect(result.ending == .exited(64) && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains(message) && result.errors.contains(hint), "\(result.errors)")
        #expect(!result.errors.contains("\u{1B}"))
    }

    @Test("watch prints each current and new joke, and the favorites if only they are watched")
    func watch() async throws {
        let daemon = try await DaemonUnderTest.serving(["One duck."])
        func watch(_ options: String...) throws -> ChildProcess {
            try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "watch"] + options)
        }
        let watcher = try watch("--limit", "1", "--format", "{text:line} of {source}")
        #expect(try watcher.output.waitForLines(1) == ["One duck. of fortunes"])
        let favorites = try watch("--section", "favoriteJokes", "--format", "{star}{setup}")
        try daemon.folder.write("One duck.\n%\nTwo\nducks.\n", to: "fortunes")
        try await waitUntil("a refresh is allowed") { try daemon.control("refresh").output.contains("done") }
        #expect(try watcher.output.waitForLines(2) == ["One duck. of fortunes", "Two ducks. of fortunes"])
        let id = try #require(try daemon.json("search", "two", as: [PrintedSearchResult].self).first?.joke.id)
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        #expect(try favorites.output.waitForLines(2) == ["★Two", "ducks."])
        #expect(watcher.output.lines.count == 2 && watcher.errors.text.isEmpty && favorites.errors.text.isEmpty)
    }
}
