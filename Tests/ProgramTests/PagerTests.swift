import Glibc
import TestSupport
import Testing

private let hasLess = access("/usr/bin/less", X_OK) == 0

/// The pager for long output.
@Suite struct PagerTests {
    /// A daemon with this number of jokes, each of which takes one line of a list.
    private func daemon(_ count: Int = 200) async throws -> DaemonUnderTest {
        try await .serving((1...count).map { "Joke number \($0)." })
    }

    private static let list = ["list", "--source", "fortunes"]

    @Test(
        "less shows a long answer, leaving it early is not an error, and the terminal is restored",
        .enabled(if: hasLess, "it needs less"), arguments: [200, 5000])
    func leaving(count: Int) async throws {
        let terminal = try ControlTerminal(try await daemon(count), Self.list)
        try terminal.wait("the first page was shown") { $0.contains("Joke number") && $0.hasSuffix("\n:") }
        try #expect(!terminal.isAsBefore)
        try terminal.type(" ")
        try terminal.wait("the second page was shown") { !$0.contains("Joke number \(count).") && $0.hasSuffix("\n:") }
        try terminal.type("q")
        try terminal.waitForEnd()
    }

    @Test(
        "an interrupt goes to the pager, and ends the command after the pager",
        .enabled(if: hasLess, "it needs less"))
    func interrupt() async throws {
        let terminal = try ControlTerminal(try await daemon(), Self.list)
        try terminal.wait("the first page was shown") { $0.contains("Joke number") && $0.hasSuffix("\n:") }
        try terminal.type("\u{3}")
        try terminal.wait("it rang") { _ in terminal.written.contains(7) }
        // If less was interrupted before it waited for a key, it ignores the next command, here a repaint.
        try terminal.type("rG")
        try terminal.wait("the last page was shown after that") { $0.contains("(END)") }
        try terminal.type("q")
        try terminal.waitForEnd(.killed(signal: SIGINT))
    }

    /// The output of the pager before the list, and the number of printed jokes.
    private func printed(
        _ daemon: DaemonUnderTest, _ arguments: [String], _ variables: [String: String], rows: Int = 300
    ) throws -> (first: String, jokes: Int) {
        let terminal = try ControlTerminal(daemon, arguments, rows: rows, variables: variables)
        try terminal.waitForEnd()
        let written = String(decoding: terminal.written, as: UTF8.self)
        return (String(written.prefix { $0 != "\r\n" }), written.ranges(of: "Joke number").count)
    }

    private static let echo = #"echo "less=$LESS lv=$LV charset=$LESSCHARSET"; cat"#

    @Test(
        "the pager is JOKESCTL_PAGER, else PAGER, and gets the whole answer, defaults for less, and R beside the user's options"
    )
    func chosen() async throws {
        let daemon = try await daemon(400)
        for variables in [["PAGER": Self.echo], ["JOKESCTL_PAGER": Self.echo, "PAGER": "false"]] {
            let (first, jokes) = try printed(daemon, Self.list, variables)
            #expect(first == "less=FRX lv=-c charset=utf-8" && jokes == 400)
        }
        let own = ["PAGER": Self.echo, "LESS": "S", "LV": "", "LANG": "C"]
        #expect(try printed(daemon, Self.list, own).first == "less=-R S lv= charset=")
    }

    @Test("no pager is used for short output, with --no-pager, on a dumb terminal, or if it is set to cat or empty")
    func none() async throws {
        let daemon = try await daemon(400)
        let pager = ["PAGER": "echo paged; cat"]
        #expect(try printed(daemon, Self.list, pager).first == "paged")
        for (arguments, variables) in [
            (["--no-pager"] + Self.list, pager), (Self.list + ["--no-pager"], pager),
            (Self.list, ["PAGER": "echo paged; cat", "TERM": "dumb"]), (Self.list, ["PAGER": ""]),
            (Self.list, ["PAGER": "cat"]), (Self.list, ["JOKESCTL_PAGER": "", "PAGER": "echo paged; cat"]),
        ] {
            let (first, jokes) = try printed(daemon, arguments, variables)
            #expect(!first.contains("paged") && jokes == 400, "\(arguments) \(variables)")
        }
        let (first, jokes) = try printed(daemon, Self.list + ["-n", "299"], pager)
        #expect(!first.contains("paged") && jokes == 299)
        #expect(try printed(daemon, Self.list + ["-n", "300"], pager).first == "paged")
        #expect(try printed(daemon, Self.list + ["--format", "{setup}"], pager) == ("paged", 400))
        #expect(try printed(daemon, ["status"], pager, rows: 3).first.contains("cached"))
    }

    @Test(
        "if the pager is not installed, the answer is printed directly",
        arguments: ["no-such-pager", "no-such-pager -x"])
    func missing(pager: String) async throws {
        // The list is longer than a pipe.
        #expect(try printed(try await daemon(5000), Self.list, ["PAGER": pager]).jokes == 5000)
    }

    @Test(
        "the end of the pager does not change the exit code of the command",
        arguments: ["exit 3", "kill -KILL $$", "head -n 1"])
    func ending(pager: String) async throws {
        #expect(try printed(try await daemon(400), Self.list, ["PAGER": pager]).jokes <= 1)
    }
}
