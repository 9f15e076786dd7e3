import FoundationEssentials
import Glibc
import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// The programs that the escapes of `Template` are for read the field back.
@Suite struct TemplateReaderTests {
    private static let count = scaled(4000)
    /// The first two are always installed on Debian.
    private static let shells = ["/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/fish"]
        .filter { (path: String) in access(path, X_OK) == 0 }

    /// The jokes of this run, and the values of all their fields.
    private func jokes() -> (jokes: [TemplateJoke], fields: [String]) {
        var random = SplitMix64(seed: testSeed)
        let jokes = (0..<Self.count).map { _ in random.joke(10) }
        return (jokes, jokes.flatMap { joke in Template.fields.map { $0.value(joke) } })
    }

    private func escaped(_ jokes: [TemplateJoke], _ escape: String) throws -> [String] {
        let templates = try Template.fields.map { try Template("{\($0.name):\(escape)}") }
        return jokes.flatMap { joke in templates.map { $0.text(of: joke) } }
    }

    private func compare(_ read: [String], _ fields: [String]) throws {
        let repeated = "repeat with JOKESD_TEST_SEED=\(testSeed)"
        try #require(read.count == fields.count, "\(read.count) of \(fields.count) fields read; \(repeated)")
        for (read, field) in zip(read, fields) where !read.utf8.elementsEqual(field.utf8) {
            Issue.record("\(read.debugDescription) for \(field.debugDescription); \(repeated)")
            return
        }
    }

    @Test("a shell reads the escape sh as one word, the field", arguments: Self.shells)
    func shell(_ shell: String) throws {
        let (jokes, fields) = jokes()
        let folder = try TemporaryFolder()
        let script = try folder.write(
            try escaped(jokes, "sh").map { "printf '%s\\0' \($0)\n" }.joined(), to: "script")
        let result = try ChildProcess.run(shell, [script], environment: ["PATH": "/nowhere"])
        #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(result.errors.prefix(500))")
        try compare(parts(of: result.output), fields)
    }

    @Test("a JSON parser reads the escape json as one string, the field")
    func json() throws {
        let (jokes, fields) = jokes()
        let document = "[" + (try escaped(jokes, "json")).joined(separator: ",") + "]"
        try compare(try JSONDecoder().decode([String].self, from: Data(document.utf8)), fields)
    }

    @Test(
        "an XML parser reads the escape pango as text, the field",
        .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
    func markup() throws {
        let (jokes, fields) = jokes()
        try compare(try textInMarkup(try escaped(jokes, "pango")), fields)
    }

    @Test("the escape bar adds only spaces, and leaves no command for polybar, lemonbar or tmux, also at the end")
    func bar() throws {
        let commands = ["%{"] + "[({DFHIPSTWh".map { "#\($0)" }
        try checkProperty("texts with signs") { random, size in
            String((0..<size).map { _ in Array("%%##{[( aDh}:")[random.int(in: 0..<13)] })
        } property: { text in
            let content = JokeContent(text: .single(text))
            let joke = TemplateJoke(
                Joke(
                    id: JokeID(rawValue: "a:1"), content: content, isFavorite: false,
                    firstSeen: Timestamp(microseconds: 0)))
            let shown = try Template("{text:bar}%{{F-}}#[x]").text(of: joke)
            let escaped = String(shown.dropLast("%{F-}#[x]".count))
            try verify(!commands.contains { escaped.contains($0) }, "\(escaped) has a command")
            try verify(escaped.last != "%" && escaped.last != "#", "\(escaped) forms a command with the text after it")
            try verify(escaped.filter { $0 != " " } == text.filter { $0 != " " }, "\(escaped) is another text")
        }
    }
}
