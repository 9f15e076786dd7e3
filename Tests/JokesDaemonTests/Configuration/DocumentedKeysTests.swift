import JSON5
import JokesCore
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

@Suite struct DocumentedKeysTests {
    /// Objects of the configuration, with `@` in place of their keys.
    private static let objects =
        [
            "{@}", #"{"filter": {@}}"#, #"{"feed": {@}}"#, #"{"cache": {@}}"#, #"{"network": {@}}"#,
            #"{"sources": [{"type": "rss", "rate": {@}}]}"#, #"{"sources": [{"type": "json", "map": {@}}]}"#,
            #"{"sources": [{"type": "json", "error": {@}}]}"#,
        ] + SourceKind.allCases.map { #"{"sources": [{"type": "\#($0.rawValue)", @}]}"# }

    /// The keys of an object, from the error about an unknown key.
    private func keys(of object: String) -> [String] {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(object.replacing("@", with: #""unknown-key": 0"#).utf8), file: "test")
        }
        let words =
            error?.description.split(separator: "unknown key 'unknown-key': use one of ").dropFirst().first ?? ""
        return words.prefix { $0 != "\n" }.split(separator: ", ").map(String.init)
    }

    @Test("every key of the configuration is in jokesd.json(5)", arguments: objects)
    func documented(object: String) throws {
        let keys = keys(of: object)
        #expect(!keys.isEmpty)
        let documented = try documentedKeys()
        for key in keys { #expect(documented.contains(key), "\(key)") }
    }

    @Test("every key in config.example.json, commented out or not, is in jokesd.json(5)")
    func exampleIsDocumented() throws {
        // A key is the text between two quotation marks if a colon follows the second one.
        let pieces = try text(of: "config.example.json").split(separator: "\"", omittingEmptySubsequences: false)
        let names = zip(pieces, pieces.dropFirst()).filter { $0.1.hasPrefix(":") }.map { String($0.0) }
        // "X-Api-Key" names a header field; the names of keys are letters only.
        let keys = names.filter { $0.allSatisfy(\.isLetter) }
        #expect(keys.contains("sources") && keys.contains("proxy"))
        let documented = try documentedKeys()
        for key in keys { #expect(documented.contains(key), "\(key)") }
    }

    /// The keys that have an entry in jokesd.json(5).
    private func documentedKeys() throws -> Set<String> {
        let entries = try text(of: "docs/man/jokesd.json.5").split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
        return Set(entries.map { String($0.split(separator: " ")[2]) })
    }

    private func text(of file: String) throws -> String {
        String(decoding: try contentsOfFile(SystemPython.checkoutPath(file), limit: 1 << 20), as: UTF8.self)
    }
}
