import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The completion scripts in real shells.
@Suite struct CompletionTests {
    /// A daemon with two sources, a favorite and a hidden joke. One source has more jokes than one answer suggests.
    private func daemon() async throws -> (DaemonUnderTest, favorite: String, hidden: String) {
        let folder = try TemporaryFolder()
        let many = try folder.write((0..<150).map { "Dad says \($0).\n%\n" }.joined(), to: "many")
        let few = try folder.write("Duck.\n%\nGoose.\n%\nSwan.\n%\n", to: "few")
        let daemon = try DaemonUnderTest(
            configuration: configuration(fortuneSource(many, name: "dad"), fortuneSource(few, name: "duck-tales")))
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "duck-tales")
        try #require(jokes.count == 3)
        #expect(try daemon.control("favorite", jokes[0].id).ending == .exited(0))
        #expect(try daemon.control("hide", jokes[1].id).ending == .exited(0))
        let other =
            #"{"format":"jokesd","version":1,"jokes":[{"id":"mine:2","setup":"A guinea pig.","#
            + #""firstSeen":"2026-02-28T09:30:00Z"}]}"#
        #expect(try daemon.control("import", daemon.folder.write(other, to: "other.json")).ending == .exited(0))
        return (daemon, jokes[0].id, jokes[1].id)
    }

    private func check(_ kind: CompletingShell.Kind) async throws {
        let (daemon, favorite, hidden) = try await daemon()
        let shell = try CompletingShell(kind, at: try #require(kind.path), socket: daemon.socket)
        let one = try #require(try daemon.json("list", "--source", "dad", as: [PrintedJoke].self).first?.id)
        let rows = [
            ("sh", "show"), ("unf", "unfavorite"), ("compl", "completions"), ("--col", "--color"),
            ("--color al", "--color always"),
            ("--color=al", "--color=always"), ("list --li", "list --limit"), ("list --so", "list --so"),
            ("--color never sh", "--color never show"), ("status --col", "status --color"),
            // Words that the daemon suggests.
            ("list --source du", "list --source duck-tales"), ("list --source=du", "list --source=duck-tales"),
            ("refresh dad du", "refresh dad duck-tales"), ("source en", "source enable"),
            ("source enable du", "source enable duck-tales"), ("source add den", "source add deno-jokes"),
            ("random --language e", "random --language en"),
            ("random --category prog", "random --category programming"),
            ("random --category PROG", "random --category programming"),
            // IDs, which have a colon, and prefixes of too many IDs.
            ("show du", "show duck-tales~"), ("show duck-tales:", "show duck-tales:~"), ("show da", "show dad~"),
            ("show duck-tales~", "show duck-tales~"),
            ("show \(one.dropLast(3))", "show \(one)"), ("--json show -- \(one.dropLast(3))", "--json show -- \(one)"),
            ("favorite --note 'a b' \(one.dropLast(3))", "favorite --note 'a b' \(one)"),
            ("hide \(favorite) \(one.dropLast(3))", "hide \(favorite) \(one)"),
            ("unfavorite du", "unfavorite \(favorite.shortened)"), ("unfavorite dad", "unfavorite dad"),
            ("unhide duck-tales:", "unhide \(hidden)"),
            ("unhide ", "unhide \(hidden.shortened)"), ("unfavorite ", "unfavorite \(favorite.shortened)"),
            ("forget ", "forget mine"), ("forget du", "forget du"),
            ("show nobody:", "show nobody:"),
            // Words of the command table.
            ("export --format jsonf", "export --format jsonfeed"), ("random --format wa", "random --format waybar"),
            ("watch --section favoriteJokes,jo", "watch --section favoriteJokes,jokes"),
            ("list --not-source starter,duck", "list --not-source starter,duck-tales"),
            ("completions z", "completions zsh"), ("help unf", "help unfavorite"), ("help form", "help formats"),
            ("search du", "search du"),
            ("import pl", "import plain.json"), ("export -o pl", "export -o plain.json"),
            // No daemon.
            ("--socket /nowhere show du", "--socket /nowhere show du"),
            ("--socket=/nowhere show du", "--socket=/nowhere show du"),
        ]
        for (typed, meant) in rows {
            let completed =
                typed == meant
                ? try shell.completed("jokesctl \(typed)")
                : try insisting(unlike: shell.plain("jokesctl \(typed)")) { try shell.completed("jokesctl \(typed)") }
            #expect(completed == "jokesctl \(meant)")
        }
        for (typed, meant) in [
            ("jokesd --check", "jokesd --check-config"), ("jokesd --config pl", "jokesd --config plain.json"),
            ("jokes-tui --pl", "jokes-tui --plain"), ("jokes-tui --color au", "jokes-tui --color auto"),
        ] { #expect(try shell.completed(typed) == meant) }
        // The script must call the jokesctl that was typed.
        let meant = "\(builtProgram("jokesctl")) show duck-tales~"
        let typed = String(meant.dropLast(9))
        #expect(try insisting(unlike: typed) { try shell.completed(typed) } == meant)
    }

    /// Repeats the body if it returns no suggestions, since the daemon may not answer in time under load.
    private func insisting(unlike unanswered: String, _ body: () throws -> String) rethrows -> String {
        for _ in 0..<10 {
            let said = try body()
            if said != unanswered { return said }
        }
        return try body()
    }

    /// The script must be found at the path that the help names.
    private func checkFinding(_ kind: CompletingShell.Kind) async throws {
        let (daemon, favorite, _) = try await daemon()
        let shell = try CompletingShell(kind, at: try #require(kind.path), socket: daemon.socket, findsScript: true)
        let meant = "jokesctl unfavorite \(favorite.shortened)"
        let typed = "jokesctl unfavorite du"
        #expect(try insisting(unlike: typed) { try shell.completed(typed) } == meant)
    }

    /// A space must follow an ID, but not a prefix of several IDs.
    private func checkSpaces(_ kind: CompletingShell.Kind) async throws {
        let (daemon, favorite, _) = try await daemon()
        let shell = try CompletingShell(kind, at: try #require(kind.path), socket: daemon.socket)
        for (typed, meant) in [("unfavorite du", "unfavorite \(favorite.shortened) "), ("show da", "show dad~")] {
            let line = "jokesctl \(typed)"
            #expect(try insisting(unlike: line) { try shell.line(after: line) } == "jokesctl \(meant)")
        }
    }

    @Test("bash completes", CompletingShell.Kind.bash.isInstalled)
    func bash() async throws {
        try await check(.bash)
        try await checkFinding(.bash)
        try await checkSpaces(.bash)
    }

    @Test("zsh completes", CompletingShell.Kind.zsh.isInstalled)
    func zsh() async throws {
        try await check(.zsh)
        try await checkFinding(.zsh)
        try await checkSpaces(.zsh)
    }

    @Test("fish completes", CompletingShell.Kind.fish.isInstalled)
    func fish() async throws {
        try await check(.fish)
        try await checkFinding(.fish)
    }

    // MARK: The command complete

    private func suggestions(_ socket: String, _ words: [String]) throws -> String {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["--socket", socket, "complete", "--"] + words)
        #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(words): \(result)")
        return result.output
    }

    @Test("a word that a shell or a terminal interprets is not offered")
    func hostileWords() throws {
        let words = [
            "good:1", "$(touch x)", "`x`", "a b", "-rf", "--help", "~root", "a;b", "a'b", "a\"b", "a*", "a\u{1B}[31m",
            "a\nb", "a\u{7}",
            "a&b", "a|b", "a>b", "a\\b", "!a", "{a,b}", "=ls", "", "a\u{202E}b", "größe",
        ]
        let daemon = try OtherDaemon(
            version: "1", JokesInterface.description,
            methods: [
                .answer(SuggestMethod.name) { (_: SuggestMethod.Parameters) in SuggestMethod.Reply(words: words) }
            ])
        let plain = "good:1\ngröße\n"
        #expect(try insisting(unlike: "") { try suggestions(daemon.socket, ["list", "--category", ""]) } == plain)
    }

    @Test(
        "there are no suggestions without a daemon, from an older or a silent one, and for an unknown command")
    func nothing() throws {
        let folder = try TemporaryFolder()
        #expect(try suggestions(folder.path("none"), ["show", ""]).isEmpty)
        #expect(try suggestions(try folder.write("", to: "file"), ["show", ""]).isEmpty)
        let older = try OtherDaemon(version: "0.0.1", "interface org.jokesd.Jokes\nmethod Status() -> ()\n")
        #expect(try suggestions(older.socket, ["show", ""]).isEmpty)
        let silent = try OtherDaemon(
            version: "1", JokesInterface.description,
            methods: [
                .handle(SuggestMethod.name) { (call: VarlinkCall<SuggestMethod.Parameters, SuggestMethod.Reply>) in
                    call.onClosed { withExtendedLifetime(call) {} }
                }
            ])
        #expect(try suggestions(silent.socket, ["show", ""]).isEmpty)
        #expect(try suggestions(silent.socket, ["joke", ""]).isEmpty)
    }
}
