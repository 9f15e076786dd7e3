import Glibc
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// The manual pages say what the programs do.
@Suite struct ManPageTests {
    private func help(of program: String) throws -> String {
        let result = try ChildProcess.run(builtProgram(program), ["--help"])
        #expect(result.ending == .exited(0) && result.errors.isEmpty)
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(program) --help is too wide")
        return result.output
    }

    /// The options as a help lists them: `-h, --help`, `--socket PATH`. Lines that go on with a summary are further in.
    private func options(in help: String) -> [String] {
        help.split(separator: "\n").compactMap { line in
            let entry = line.drop { $0 == " " }
            guard entry.hasPrefix("-"), [2, 6].contains(line.count - entry.count) else { return nil }
            return String(entry[..<(entry.firstRange(of: "  ")?.lowerBound ?? entry.endIndex)])
        }
    }

    @Test(
        "a page lists the options of the program's help, in their order, and its synopsis has each",
        arguments: [("jokes-tui.1", "jokes-tui"), ("jokesctl.1", "jokesctl"), ("jokesd.8", "jokesd")])
    func options(_ name: String, _ program: String) throws {
        let page = try ManPage(name)
        let expected = options(in: try help(of: program))
        #expect(expected.count >= 4)
        #expect(page.items(in: "DESCRIPTION").map(ManPage.shown) == expected)
        let synopsis = ["Op", "Fl"].flatMap { page.lines(of: $0, in: "SYNOPSIS").map { " \($0) " } }
        for option in expected {
            let long = try #require(option.split(separator: " ").first { $0.hasPrefix("--") }).dropFirst(2)
            #expect(synopsis.contains { $0.contains("-\(long) ") }, "the synopsis has --\(long)")
        }
    }

    @Test("the viewer's page tells the exit codes of its help")
    func exitCodes() throws {
        let help = try help(of: "jokes-tui")
        let codes = try #require(help.split(separator: "\n").last { $0.hasPrefix("Exit codes: ") })
            .dropFirst("Exit codes: ".count).split(separator: ", ").compactMap { $0.split(separator: " ").first }
        #expect(codes.count == 4)
        #expect(try ManPage("jokes-tui.1").items(in: "EXIT STATUS") == codes.map(String.init))
    }

    @Test("the protocol's page has every method of the interface with its parameters, and every error")
    func methods() throws {
        let page = try ManPage("jokesd-protocol.7")
        let interface = try InterfaceDescription(JokesInterface.description)
        let methods = interface.members.compactMap { member -> [String]? in
            if case .method(let input, _) = member.kind { [member.name] + input.map(\.name) } else { nil }
        }
        let listed = page.items(in: "METHODS").map { $0.split(separator: " ").dropFirst().map(String.init) }
        #expect(listed.sorted { $0[0] < $1[0] } == methods.sorted { $0[0] < $1[0] })
        #expect(page.items(in: "ERROR REPLIES").map(ManPage.shown) == interface.errorNames)
    }

    @Test(
        "the program on the protocol's page tells the newest joke, and the next one when that goes",
        .enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
    func program() throws {
        let page = try ManPage("jokesd-protocol.7")
        let program = try #require(page.displays(in: "EXAMPLES").first { $0.hasPrefix("import ") })
        let daemon = try DaemonUnderTest()
        // The program looks for the user's own daemon.
        try makeFolder(daemon.folder.path("jokesd"), mode: 0o700)
        try #require(symlink(daemon.socket, daemon.folder.path("jokesd/jokesd.sock")) == 0)
        let jokes: [PrintedJoke] = try daemon.json("list", "--limit", "2")
        let reader = try ChildProcess(
            try #require(PlainPython.path), ["-B", try daemon.folder.write(program, to: "page.py")],
            environment: ["XDG_RUNTIME_DIR": daemon.folder.path])
        try reader.output.waitFor("\(jokes[0].setup)\n")
        #expect(try daemon.control("hide", jokes[0].id).ending == .exited(0))
        try reader.output.waitFor("\(jokes[1].setup)\n")
        reader.signal(SIGKILL)
    }
}
