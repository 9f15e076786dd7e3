import JSON5
import JokesCore
import JokesDaemon
import TestSupport
import Testing
import Unix

@Suite struct DocumentedKeysTests {
    /// An object of the configuration, with `@` in place of its keys.
    private static let objects =
        [
            "{@}", #"{"filter": {@}}"#, #"{"feed": {@}}"#, #"{"cache": {@}}"#, #"{"network": {@}}"#,
            #"{"sources": [{"type": "rss", "rate": {@}}]}"#, #"{"sources": [{"type": "json", "map": {@}}]}"#,
            #"{"sources": [{"type": "json", "error": {@}}]}"#,
        ] + SourceKind.allCases.map { #"{"sources": [{"type": "\#($0.rawValue)", @}]}"# }

    /// The keys of an object, as the error about an unknown one lists them.
    private func keys(of object: String) -> [String] {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(object.replacing("@", with: #""unknown-key": 0"#).utf8), file: "test")
        }
        let words = error?.description.split(separator: "there is no such key; there is ").dropFirst().first ?? ""
        return words.prefix { $0 != "\n" }.split(separator: ", ").map(String.init)
    }

    @Test("every key of the configuration is in config.example.json and in jokesd.json(5)", arguments: objects)
    func documented(object: String) throws {
        let keys = keys(of: object)
        #expect(!keys.isEmpty)
        for (file, mark) in [("config.example.json", "\"@\""), ("docs/man/jokesd.json.5", ".It Cm @")] {
            let text = String(
                decoding: try contentsOfFile(PlainPython.checkout(file), limit: 1 << 20), as: UTF8.self)
            for key in keys { #expect(text.contains(mark.replacing("@", with: key)), "\(file): \(key)") }
        }
    }
}
