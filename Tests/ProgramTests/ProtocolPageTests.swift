import FoundationEssentials
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// docs/protocol.md, and clients written from it.
@Suite(.enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
struct ProtocolPageTests {
    @Test("a client sends and accepts the page's example byte for byte, and has the page's snapshot after each step")
    func example() throws {
        let arguments = SystemPython.arguments("replay_page.py", [SystemPython.checkoutPath("docs/protocol.md")])
        let result = try ChildProcess.run(try #require(SystemPython.path), arguments)
        #expect(result.ending == .exited(0), "\(result.errors)")
        #expect(result.output == "4 messages and 7 snapshots are as the page shows them.\n")
        #expect(result.errors.isEmpty)
    }

    @Test("a daemon answers as the page says, byte for byte except its own times")
    func answers() throws {
        let daemon = try DaemonUnderTest()
        let arguments = [daemon.socket, SystemPython.checkoutPath("docs/protocol.md")]
        let result = try ChildProcess.run(
            try #require(SystemPython.path), SystemPython.arguments("ask_page.py", arguments))
        #expect(result.ending == .exited(0), "\(result.errors)")
        #expect(result.output == "The daemon says what the page says.\n")
    }

    @Test("the example prints the newest jokes, and then each joke that comes into its list, also after a restart")
    func watch() throws {
        let daemon = try DaemonUnderTest()
        let jokes: [PrintedJoke] = try daemon.json("list", "--limit", "4")
        let texts = jokes.map { ([$0.setup] + ($0.punchline.map { [$0] } ?? []) + ["\n"]).joined(separator: "\n") }
        let python = try #require(SystemPython.path)
        let example = ["-B", SystemPython.checkoutPath("Examples/Python/jokes_watch.py")]
        let watcher = try ChildProcess(python, example + ["-n", "2", daemon.socket])
        try watcher.output.waitFor(texts[1] + texts[0])
        #expect(try daemon.control("hide", jokes[0].id).ending == .exited(0))
        try watcher.output.waitFor(texts[2])
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.control("hide", jokes[1].id).ending == .exited(0))
        try watcher.output.waitFor(texts[3])
        #expect(watcher.output.text == [1, 0, 2, 3].map { texts[$0] }.joined())
        #expect(watcher.errors.text.isEmpty)
        let help = try ChildProcess.run(python, example + ["-h"])
        #expect(help.ending == .exited(0) && help.output.hasPrefix("usage: jokes_watch.py [-h] [-n COUNT] [address]\n"))
    }

    private func page() throws -> String {
        let path = SystemPython.checkoutPath("docs/protocol.md")
        return String(decoding: try contentsOfFile(path, limit: 1 << 20), as: UTF8.self)
    }

    @Test("the page names every parameter and every error of the interface, and no other error")
    func everyName() throws {
        let page = try page()
        let interface = try InterfaceDescription(JokesInterface.description)
        for member in interface.members {
            guard case .method(let input, _) = member.kind else { continue }
            for name in input.map(\.name) {
                #expect(page.contains("`\(name)`") || page.contains("\"\(name)\":"), "\(member.name): \(name)")
            }
        }
        let names = try PageTable.all(of: "docs/protocol.md", headed: "error")
            .flatMap(\.table.rows).flatMap { PageTable.codeSpans(in: $0[0]) }
        let own = names.filter { !$0.hasPrefix("org.varlink.service.") && $0 != "InterfaceNotFound" }
        #expect(own.sorted() == interface.errorNames.sorted())
    }

    private struct Call: Decodable {
        let method: String
    }

    @Test("the page has a call of every method, and the daemon accepts the parameters of each")
    func everyMethod() throws {
        let daemon = try DaemonUnderTest()
        let lines = try page().split(separator: "\n").filter { $0.hasPrefix(#"    {"method":"#) && $0.hasSuffix("}⏎") }
        var names: Set<String> = []
        for line in lines.map({ String($0.dropFirst(4).dropLast()) }) where !line.contains("…") {
            names.insert(try JSONDecoder().decode(Call.self, from: Data(line.utf8)).method)
            let client = try RawClient(daemon.socket)
            try client.send(Array(line.utf8) + [0])
            let answer = try #require(try client.receive())
            #expect(!answer.contains(#""error":"org.varlink"#), "\(line): \(answer)")
        }
        let standard = ["GetInfo", "GetInterfaceDescription"].map { "org.varlink.service.\($0)" }
        let own = try InterfaceDescription(JokesInterface.description).methodNames.map { "org.jokesd.Jokes.\($0)" }
        #expect(names == Set(standard + own))
    }
}
