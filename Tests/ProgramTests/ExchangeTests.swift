import FoundationEssentials
import Glibc
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// Export from one cache and import into another with jokesctl.
@Suite struct ExchangeTests {
    /// Jokes of a fortune file are unrated after an import.
    private static let showsUnrated = #"{"sources": [], "filter": {"safe": false}}"#

    private struct PrintedReport: Decodable, Equatable {
        var newFavorites = 0
        var changedFavorites = 0
        var knownFavorites = 0
        var newHidden = 0
        var knownHidden = 0
        var newJokes = 0
        var knownJokes = 0
        var excluded = 0
    }

    private func report(_ change: (inout PrintedReport) -> Void) -> PrintedReport {
        var report = PrintedReport()
        change(&report)
        return report
    }

    /// Fortunes that need escapes in some format.
    private static let texts = [
        "A plain test joke.", "Two\nlines.", "Quotes \" and \\ and 'these'.", "An emoji 👩‍👩‍👧 in it.",
        "é as one, e\u{301} as two.",
        "A line that is a mark:\n\n%%\n% \nand goes on.", "Separated\u{2028}by U+2028.", "{\"json\": [\"in it\"]}",
        "<b>No</b> &amp; markup.",
        "A tab\tand a \u{1B}[31mred\u{1B}[0m word\u{7}.",
    ]

    /// Starts a daemon with fortunes: the first five are favorites, one of them with a note, and the sixth is hidden.
    private func filledDaemon() async throws -> DaemonUnderTest {
        let daemon = try await DaemonUnderTest.serving(Self.texts)
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
        #expect(jokes.count == Self.texts.count)
        for joke in jokes.prefix(5).reversed() { #expect(try daemon.control("favorite", joke.id).ending == .exited(0)) }
        #expect(try daemon.control("favorite", "--note", "for \"Ann\",\nat tea", jokes[3].id).ending == .exited(0))
        #expect(try daemon.control("hide", jokes[5].id).ending == .exited(0))
        return daemon
    }

    private func export(_ daemon: DaemonUnderTest, _ arguments: String...) throws -> String {
        let result = try daemon.control(["export"] + arguments)
        try #require(result.ending == .exited(0), "\(result)")
        return result.output
    }

    @Test(
        "an export, imported into a new cache, is exported as the same bytes, and a second import changes nothing",
        arguments: ["json", "jsonfeed", "fortune"])
    func roundTrip(format: String) async throws {
        let old = try await filledDaemon()
        for all in [[], ["--all"]] {
            let arguments = ["export", "--notes", "--format", format] + all
            let first = try old.control(arguments)
            #expect(first.ending == .exited(0) && first.errors.isEmpty, "\(first)")
            let new = try DaemonUnderTest(configuration: Self.showsUnrated)
            let file = try new.folder.write(first.output, to: "exported")
            let report: PrintedReport = try new.json("import", file)
            #expect(report.newFavorites >= 5 && report.changedFavorites + report.excluded == 0, "\(report)")
            #expect(try new.control(arguments).output == first.output)
            let again: PrintedReport = try new.json("import", file)
            #expect(again.newFavorites + again.newHidden + again.newJokes + again.changedFavorites == 0, "\(again)")
            #expect(try new.control(arguments).output == first.output)
            if format == "json" {
                let (was, became) = try (old.control("--json", "favorites"), new.control("--json", "favorites"))
                #expect(was.output == became.output && report.newHidden == 1)
            }
            #expect(try new.stop() == .exited(0))
            try new.start()
            #expect(try new.control(arguments).output == first.output)
        }
    }

    @Test("a JSON export has every favorite with its note; the other formats report those that the filter excludes")
    func excluded() async throws {
        let daemon = try await DaemonUnderTest.serving(["Fine.", "A forbidden word."])
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
        #expect(try daemon.control(["favorite", "--note", "mine"] + jokes.map(\.id)).ending == .exited(0))
        let whole = try export(daemon)
        let source = fortuneSource(daemon.folder.path("fortunes"))
        try daemon.reload(#"{"sources": [\#(source)], "filter": {"words": ["forbidden"]}}"#)
        let backup = try daemon.control("export")
        #expect(backup.ending == .exited(0) && backup.errors.isEmpty && backup.output == whole)
        // The joke is in the export once: as a favorite, not as a cached joke.
        #expect(try export(daemon, "--all").split(separator: "\n").count { $0.contains("forbidden") } == 1)
        for format in ["jsonfeed", "fortune", "html", "text"] {
            let result = try daemon.control("export", "--all", "--format", format)
            #expect(result.output.contains("Fine.") && !result.output.contains("forbidden"))
            #expect(result.errors.hasPrefix("jokesctl: 1 favorite was not exported: the filter excludes it; "))
        }
    }

    private struct Exported: Decodable {
        var jokes: [PrintedID]

        struct PrintedID: Decodable { var id: String }
    }

    @Test("export --excluded also has the jokes that the filter excludes, and not the hidden ones")
    func excludedJokes() async throws {
        let daemon = try await filledDaemon()
        let source = fortuneSource(daemon.folder.path("fortunes"))
        let jokes: [PrintedJoke] = try daemon.json("list")
        #expect(try daemon.control("hide", jokes[0].id).ending == .exited(0))
        try daemon.reload(#"{"sources": [\#(source)], "filter": {"maxLength": 12}}"#)
        let shown = try Set(daemon.json("list", as: [PrintedJoke].self).map(\.id))
        let others = Set(jokes.dropFirst().map(\.id)).subtracting(shown)
        #expect(!others.isEmpty)
        let exported = try daemon.json("export", "--excluded", as: Exported.self).jokes.map(\.id)
        #expect(exported.count == others.count && Set(exported) == others)
        let everything = try daemon.json("export", "--all", "--excluded", as: Exported.self).jokes.map(\.id)
        #expect(everything.count == jokes.count - 1 && Set(everything) == shown.union(others))
        // A source that is no longer configured shows none of its jokes.
        try daemon.reload(#"{"sources": []}"#)
        let left = try Set(daemon.json("export", "--excluded", as: Exported.self).jokes.map(\.id))
        #expect(left == shown.union(others).filter { $0.hasPrefix("fortunes:") }, "\(left)")
    }

    @Test("watch prints imported favorites, and import reads standard input")
    func watched() async throws {
        let daemon = try DaemonUnderTest(configuration: Self.showsUnrated)
        let watcher = try await daemon.watch()
        let file = try daemon.folder.write("Brought by hand.\n%\nBrought as well.\n", to: "f")
        let result = try ChildProcess.run(
            builtProgram("jokesctl"), ["--socket", daemon.socket, "import", "--favorites", "-"], input: file)
        #expect(result.ending == .exited(0) && result.output.contains("2 new, 0 already there"), "\(result)")
        try watcher.output.waitFor("Brought by hand.")
        let favorites: [PrintedJoke] = try daemon.json("favorites")
        #expect(favorites.map(\.setup) == ["Brought by hand.", "Brought as well."])
        #expect(favorites.allSatisfy { $0.id.hasPrefix("imported:~") })
    }

    @Test("an imported favorite without a rating is kept, but the default filter does not show it")
    func unrated() throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write("An unrated duck.\n%\n", to: "f")
        let result = try daemon.control("import", "--favorites", file)
        #expect(result.output.contains("The filter excludes 1 of the new favorites and jokes"), "\(result)")
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
        #expect(try export(daemon).contains(#""setup":"An unrated duck.","safety":"unknown""#))
        try daemon.reload(Self.showsUnrated)
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).map(\.setup) == ["An unrated duck."])
    }

    @Test("an invalid file is refused as a whole, with line, column and reason")
    func badFile() async throws {
        let daemon = try await filledDaemon()
        let whole = try export(daemon)
        let files: [(name: String, text: String, words: String)] = [
            ("cut", String(whole.dropLast(40)), "line 8, column "),
            (
                "wrong", whole.replacing("\"id\":", with: "\"no\":", maxReplacements: 1),
                "line 2, column 1: id: missing"
            ),
            ("other", "{}", "line 1, column 1: cannot tell the format of the file"),
            ("users", "root:x:0:0\n", "line 1, column 1: cannot tell the format of the file"),
        ]
        let empty = try DaemonUnderTest()
        for (name, text, words) in files {
            let file = try empty.folder.write(text, to: name)
            let result = try empty.control("import", file)
            #expect(result.ending == .exited(1) && result.output.isEmpty)
            #expect(
                result.errors.hasPrefix("jokesctl: cannot import '\(file)': ") && result.errors.contains(words),
                "\(result.errors)")
            let isGuess = name != "wrong"
            let hint = isGuess ? " For a fortune file, use --format fortune." : ""
            #expect(result.errors.hasSuffix("\nNothing was imported.\(hint)\n"), "\(result.errors)")
        }
        #expect(try empty.json("favorites", as: [PrintedJoke].self).isEmpty)
        for (arguments, status) in [
            (["import", "/nowhere"], Int32(1)), (["import", "--format", "xml", "-"], 64), (["import"], 64),
        ] {
            #expect(try empty.control(arguments).ending == .exited(status))
        }
    }

    @Test("a fortune file that begins like JSON is refused with a hint, and - is standard output")
    func looksLikeJSON() throws {
        let daemon = try DaemonUnderTest(configuration: Self.showsUnrated)
        let file = try daemon.folder.write("{ducks} is no set of ducks.\n%\n", to: "f")
        let refused = try daemon.control("import", file)
        #expect(refused.ending == .exited(1) && refused.errors.contains("--format fortune"), "\(refused)")
        let taken = try daemon.control("import", "--favorites", "--format", "fortune", file)
        #expect(taken.ending == .exited(0) && taken.output.contains("1 new"), "\(taken)")
        let whole = try export(daemon)
        #expect(whole.contains("{ducks}"))
        #expect(try export(daemon, "-o", "-") == whole)
        #expect(try export(daemon, "--format", "fortune", "--output", "-") == "%\n%\n{ducks} is no set of ducks.\n%\n")
        #expect(access("-", F_OK) != 0 && access("-.dat", F_OK) != 0)
    }

    @Test("a fortune file that jokesctl did not write needs --favorites; a dry run of it stores nothing")
    func foreign() throws {
        let daemon = try DaemonUnderTest(configuration: Self.showsUnrated)
        let file = try daemon.folder.write((0..<3).map { "Duck number \($0).\n%\n" }.joined(), to: "my fortunes")
        let refused = try daemon.control("import", file)
        #expect(refused.ending == .exited(1) && refused.output.isEmpty)
        #expect(
            refused.errors.contains("is a fortune file that jokesctl did not write\n")
                && refused.errors.contains("jokesctl source add '\(file)'. "), "\(refused)")
        let dry = try daemon.control("import", "--favorites", "--dry-run", file)
        let words = "This was a dry run: nothing was imported.\n"
        #expect(dry.output == "favorites     3 new, 0 already there\n\(words)" && dry.errors.isEmpty, "\(dry)")
        #expect(try daemon.favorites().isEmpty)
        #expect(try daemon.control("import", "--favorites", file).output == "favorites     3 new, 0 already there\n")
        #expect(try daemon.control("undo").output.hasPrefix("Taken back: 3 new favorites, from "))
        #expect(try daemon.favorites().isEmpty)
    }

    @Test("a fortune file that jokesctl did not write becomes a source with its jokes")
    func foreignSource() async throws {
        let daemon = try DaemonUnderTest(configuration: Self.showsUnrated)
        let file = try daemon.folder.write("Duck number 0.\n%\nDuck number 1.\n", to: "ponds")
        let added = try daemon.control("import", "-y", file)
        #expect(added.ending == .exited(0) && added.output.contains("Source 'ponds' added to "), "\(added)")
        #expect(added.errors.contains("so it becomes a source. To make all its jokes favorites, use --favorites."))
        // A file with the name of a service is a file.
        try daemon.folder.write("Duck number 2.\n%\nDuck number 3.\n", to: "jester")
        let control = [builtProgram("jokesctl"), "--socket", daemon.socket, "import", "-y", "jester"]
        let service = try ChildProcess.run("/usr/bin/env", ["-C", daemon.folder.path] + control)
        #expect(service.output.contains("type          fortune\n"), "\(service)")
        try await daemon.waitForSyncs()
        #expect(try daemon.json("list", "--source", "ponds", as: [PrintedJoke].self).count == 2)
        #expect(try daemon.favorites().isEmpty)
    }

    @Test("on a terminal, import asks before it adds more than 20 favorites")
    func asks() throws {
        let daemon = try DaemonUnderTest(configuration: Self.showsUnrated)
        func file(_ count: Int) throws -> String {
            try daemon.folder.write((0..<count).map { "Duck number \($0).\n%\n" }.joined(), to: "f")
        }
        let few = try ControlTerminal(daemon, ["import", "--favorites", try file(20)])
        try few.waitForEnd()
        #expect(few.text.contains("20 new, 0 already there"))
        for (answer, count, ending) in [("n", 20, ChildProcess.Ending.exited(1)), ("y", 41, .exited(0))] {
            let terminal = try ControlTerminal(daemon, ["import", "--favorites", try file(41)])
            try terminal.wait("the question") {
                $0.contains("The import adds 21 favorites. Continue? [y/N]")
            }
            try terminal.type("\(answer)\r")
            try terminal.waitForEnd(ending)
            #expect(try daemon.favorites().count == count)
        }
    }

    @Test("an export replaces a file as a whole, and leaves it unchanged if there is no daemon")
    func output() async throws {
        let daemon = try await filledDaemon()
        let file = try daemon.folder.write("old", to: "out")
        #expect(try daemon.control("export", "-o", file).output.isEmpty)
        #expect(String(decoding: try contentsOfFile(file, limit: 1 << 20), as: UTF8.self) == (try export(daemon)))
        let refused = try daemon.control("export", "--output", daemon.folder.path)
        #expect(refused.ending == .exited(1) && refused.errors.contains("not a regular file"))
        #expect(try daemon.control("export", "-o", daemon.folder.path("no/where")).ending == .exited(1))
        #expect(try daemon.stop() == .exited(0))
        try daemon.folder.write("old", to: "out")
        #expect(try daemon.control("export", "-o", file).ending == .exited(69))
        #expect(try contentsOfFile(file, limit: 100) == Array("old".utf8))
        #expect(try namesInFolder(daemon.folder.path).filter { $0.hasPrefix("out") } == ["out"])
    }

    @Test("an export to a file keeps a symbolic link, the owner and the mode", arguments: ["json", "fortune"])
    func keptLink(format: String) throws {
        let daemon = try DaemonUnderTest()
        try makeFolder(daemon.folder.path("backups"), mode: 0o700)
        let names = format == "json" ? ["jokes"] : ["jokes", "jokes.dat"]
        // Only root may change the owner of a file.
        let owner = geteuid() == 0 ? 4321 : geteuid()
        for name in names {
            let file = try daemon.folder.write("old", to: "backups/\(name)")
            #expect(chmod(file, 0o640) == 0 && chown(file, owner, getegid()) == 0)
        }
        // The index is replaced next to the link's target.
        #expect(symlink("backups/jokes", daemon.folder.path("jokes")) == 0)
        let arguments = ["export", "--all", "--format", format]
        #expect(
            try daemon.control(arguments + ["-o", daemon.folder.path("jokes")]).ending == .exited(0))
        let written = try contentsOfFile(daemon.folder.path("backups/jokes"), limit: 1 << 20)
        #expect(try String(decoding: written, as: UTF8.self) == daemon.control(arguments).output)
        var facts = stat()
        #expect(lstat(daemon.folder.path("jokes"), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(access(daemon.folder.path("jokes.dat"), F_OK) != 0)
        for name in names {
            #expect(stat(daemon.folder.path("backups/\(name)"), &facts) == 0)
            #expect(facts.st_mode & 0o7777 == 0o640 && facts.st_uid == owner && facts.st_gid == getegid())
            #expect(facts.st_size != 3)
        }
        #expect(try namesInFolder(daemon.folder.path("backups")) == names)
    }

    @Test("a dangling link is refused")
    func danglingLink() throws {
        let daemon = try DaemonUnderTest()
        let link = daemon.folder.path("link")
        #expect(symlink("nothing", link) == 0)
        let result = try daemon.control("export", "-o", link)
        #expect(result.ending == .exited(1) && result.errors.contains("cannot follow \(link): no such file"))
        #expect(result.errors.hasSuffix("\nLeave out '--output' to write to standard output.\n"))
        #expect(access(daemon.folder.path("nothing"), F_OK) != 0)
    }

    @Test("a signal during an export leaves the old file and no temporary file", arguments: [SIGINT, SIGTERM, SIGKILL])
    func interrupted(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "out")
        let asked = try Mailbox<Void>()
        // The service never answers.
        let daemon = try OtherDaemon([
            .handle(ExportMethod.name) { (call: VarlinkCall<ExportMethod.Parameters, ExportMethod.Reply>) in
                asked.put(())
                call.onClosed { withExtendedLifetime(call) {} }
            }
        ])
        let program = try ChildProcess(builtProgram("jokesctl"), ["--socket", daemon.socket, "export", "-o", file])
        try asked.take("jokesctl asked for the export")
        program.signal(signal)
        #expect(try program.waitForEnd() == .killed(signal: signal))
        #expect(try namesInFolder(folder.path) == ["out"])
        #expect(try contentsOfFile(file, limit: 100) == Array("old".utf8))
    }

    @Test("if the old index cannot be removed, the old file stays, because fortune would misread the new one")
    func oldIndex() async throws {
        let daemon = try await filledDaemon()
        let file = try daemon.folder.write("Old.\n%\n", to: "jokes")
        // A folder with this name cannot be replaced or removed like a file.
        try makeFolder("\(file).dat", mode: 0o700)
        let result = try daemon.control("export", "--format", "fortune", "-o", file)
        #expect(result.ending == .exited(1) && result.errors.contains("jokes.dat"), "\(result)")
        #expect(try contentsOfFile(file, limit: 100) == Array("Old.\n%\n".utf8))
        #expect(
            try namesInFolder(daemon.folder.path).filter { $0.hasPrefix("jokes") }.sorted() == ["jokes", "jokes.dat"])
    }

    // MARK: Other programs

    private static let fortuneProgram: String? = ["/usr/games/fortune", "/usr/bin/fortune"].first {
        access($0, X_OK) == 0
    }

    @Test(
        "fortune prints a joke of an exported file, and strfile makes the same index",
        .enabled(if: fortuneProgram != nil, "fortune-mod is not installed"))
    func fortune() async throws {
        let daemon = try await filledDaemon()
        let file = daemon.folder.path("jokes")
        #expect(try daemon.control("export", "--all", "--format", "fortune", "-o", file).ending == .exited(0))
        let texts = try daemon.json("list", as: [PrintedJoke].self).map { joke in
            [joke.setup, joke.punchline].compactMap(\.self).joined(separator: "\n")
        }
        for _ in 0..<20 {
            let printed = try ChildProcess.run(try #require(Self.fortuneProgram), [file])
            #expect(printed.ending == .exited(0) && texts.contains(String(printed.output.dropLast())), "\(printed)")
        }
        let other = daemon.folder.path("strfile.dat")
        #expect(try ChildProcess.run("/usr/bin/strfile", ["-s", file, other]).ending == .exited(0))
        #expect(try contentsOfFile("\(file).dat", limit: 1 << 20) == contentsOfFile(other, limit: 1 << 20))
    }

    @Test(
        "Python's atoma reads all members of each item of an exported feed",
        .enabled(if: VarlinkPython.feedReaderPath != nil, "\(VarlinkPython.skipReason)"))
    func feedReader() async throws {
        let daemon = try await filledDaemon()
        let file = daemon.folder.path("feed.json")
        #expect(try daemon.control("export", "--all", "--format", "jsonfeed", "-o", file).ending == .exited(0))
        let script = """
            import atoma, json, sys
            feed = atoma.parse_json_feed_file(sys.argv[1])
            print(json.dumps([{"id": i.id_, "setup": i.content_text, "categories": i.tags, "punchline": i.date_published.isoformat()} for i in feed.items]))
            """
        let read = try ChildProcess.run(try #require(VarlinkPython.feedReaderPath), ["-c", script, file])
        try #require(read.ending == .exited(0), "\(read.errors)")
        let items = try JSONDecoder().decode([PrintedJoke].self, from: Data(read.output.utf8))
        let jokes: [PrintedJoke] = try daemon.json("list")
        #expect(Set(items.map(\.id)) == Set(jokes.map(\.id)))
        for joke in jokes {
            let text = [joke.setup, joke.punchline].compactMap(\.self).joined(separator: "\n")
            #expect(items.first { $0.id == joke.id }?.setup == text)
        }
    }
}
