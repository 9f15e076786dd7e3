import FoundationEssentials
import Glibc
import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// The fourth law of `Template` with the readers that its escapes are for: what comes back is the field.
@Suite struct TemplateReaderTests {
    private static let count = scaled(4000)
    /// Every Debian has the first two.
    private static let shells = ["/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/fish"]
        .filter { (path: String) in access(path, X_OK) == 0 }

    /// Jokes of this run, and all their fields as they are.
    private func jokes() -> (jokes: [ToldJoke], fields: [String]) {
        var random = SplitMix64(seed: testSeed)
        let jokes = (0..<Self.count).map { _ in random.told(10) }
        return (jokes, jokes.flatMap { joke in Template.Field.allCases.map { joke[$0] } })
    }

    private func escaped(_ jokes: [ToldJoke], _ escape: Template.Escape) throws -> [String] {
        let templates = try Template.Field.allCases.map { try Template("{\($0.rawValue):\(escape.rawValue)}") }
        return jokes.flatMap { joke in templates.map { $0.text(of: joke) } }
    }

    private func compare(_ read: [String], _ fields: [String]) throws {
        let repeated = "JOKESD_TEST_SEED=\(testSeed) repeats it"
        try #require(read.count == fields.count, "\(read.count) of \(fields.count) came back; \(repeated)")
        for (read, field) in zip(read, fields) where !read.utf8.elementsEqual(field.utf8) {
            Issue.record("\(read.debugDescription) for \(field.debugDescription); \(repeated)")
            return
        }
    }

    @Test(
        "a shell that reads an sh has the field in one word",
        arguments: Self.shells)
    func shell(_ shell: String) throws {
        let (jokes, fields) = jokes()
        let folder = try TemporaryFolder()
        let script = try folder.write(
            try escaped(jokes, .sh).map { "printf '%s\\0' \($0)\n" }.joined(), to: "script")
        let result = try ChildProcess.run(shell, [script], environment: ["PATH": "/nowhere"])
        #expect(result.ending == .exited(0) && result.errors.isEmpty, "\(result.errors.prefix(500))")
        try compare(parts(of: result.output), fields)
    }

    @Test("a parser of JSON that reads a json has the field in one string")
    func json() throws {
        let (jokes, fields) = jokes()
        let document = "[" + (try escaped(jokes, .json)).joined(separator: ",") + "]"
        try compare(try JSONDecoder().decode([String].self, from: Data(document.utf8)), fields)
    }

    @Test(
        "a parser of XML that reads a pango has the field in text",
        .enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
    func markup() throws {
        let (jokes, fields) = jokes()
        try compare(try textInMarkup(try escaped(jokes, .pango)), fields)
    }
}
