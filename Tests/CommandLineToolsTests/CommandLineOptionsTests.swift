import CommandLineTools
import Testing

private let options = [
    CommandOption("socket", letter: "s", argument: "PATH", .file, "The socket."),
    CommandOption("json", letter: "j", "Print JSON."),
    CommandOption("once", letter: "o", "Once."),
]

@Suite struct CommandLineOptionsTests {
    @Test(
        "every form of an argument has the same meaning",
        arguments: [
            ["--socket", "/a", "list"], ["--socket=/a", "list"], ["-s", "/a", "list"], ["-s/a", "list"],
            ["list", "--socket", "/a"], ["--socket", "/b", "list", "-s/a"],
        ])
    func argumentForms(words: [String]) throws {
        let parsed = try CommandLineOptions(words, accepting: options)
        #expect(parsed["socket"] == "/a")
        #expect(parsed.operands == ["list"])
        #expect(!parsed.contains("json"))
    }

    @Test("several letters can be combined, and the last can have an argument")
    func letters() throws {
        let parsed = try CommandLineOptions(["-jos", "/a", "-"], accepting: options)
        #expect(parsed.contains("json") && parsed.contains("once"))
        #expect(parsed["socket"] == "/a")
        #expect(parsed.operands == ["-"])
    }

    @Test("two dashes end the options")
    func twoDashes() throws {
        let parsed = try CommandLineOptions(["--json", "--", "--socket", "-x"], accepting: options)
        #expect(parsed.operands == ["--socket", "-x"])
        #expect(parsed["socket"] == nil)
    }

    @Test("the first operand ends the options of a program with commands")
    func stopsAtOperand() throws {
        let parsed = try CommandLineOptions(["-j", "list", "--limit", "3"], accepting: options, stopsAtOperand: true)
        #expect(parsed.contains("json"))
        #expect(parsed.operands == ["list", "--limit", "3"])
    }

    @Test(
        "a wrong command line gives a message, and a suggestion if an option has a similar name",
        arguments: [
            (["--sokcet=/a"], "unknown option '--sokcet'", "Did you mean '--socket'?"),
            (["--frobnicate"], "unknown option '--frobnicate'", nil),
            (["-jx"], "unknown option '-x'", nil),
            (["--socket"], "option '--socket' needs a value", nil),
            (["-s"], "option '-s' needs a value", nil),
            (["--json=yes"], "option '--json' does not take a value", nil),
        ] as [([String], String, String?)])
    func errors(words: [String], message: String, suggestion: String?) {
        #expect(throws: UsageError(message, suggestion: suggestion)) {
            _ = try CommandLineOptions(words, accepting: options)
        }
    }

    @Test("a suggestion is printed on the line below its message")
    func description() {
        #expect("\(UsageError("one"))" == "one")
        #expect("\(UsageError("one", suggestion: "Two?"))" == "one\nTwo?")
    }

    @Test("help puts the summaries in one column")
    func help() {
        let lines = optionsHelp(options).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "  -s, --socket PATH  The socket.",
                "  -j, --json         Print JSON.",
                "  -o, --once         Once.",
            ])
    }

    @Test(
        "a long summary is wrapped in its column, and a summary is below a term that is too long")
    func wrappedHelp() {
        let words = Array(repeating: "word", count: 20).joined(separator: " ")
        let lines = helpTable([("short", words), ("long" + String(repeating: "-", count: 40), "Below.")])
            .split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { $0.count <= helpColumns })
        #expect(lines.count == 4 && lines[0].hasPrefix("  short  word word") && lines[1].hasPrefix("         word"))
        #expect(lines[3] == "         Below.")
        #expect(
            lines.prefix(2).joined(separator: " ").split(separator: " ").dropFirst().joined(separator: " ") == words)
    }
}
