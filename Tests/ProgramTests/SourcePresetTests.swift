import JSON
import JokesCore
import TestSupport
import Testing
import Varlink

/// The presets, with answers of the shapes that their services document.
@Suite struct SourcePresetTests {
    private static let one = "Why did the duck cross?"
    private static let two = "The goose had the bread."

    /// The answer of each service that is no source type, by the name of the preset.
    private static let answers: [String: String] = [
        "geek-jokes": #"{"joke": "\#(one)"}"#,
        "jester":
            #"[{"text": "\#(one)", "source": "www.example.com", "url": "https://www.example.com/", "html": "<p>\#(one)</p>"}]"#,
        "needs-management": #"[{"id": 3, "joke": "\#(one)", "category": "ducks"}]"#,
        "no-as-a-service": #"{"reason": "\#(one)"}"#,
        "deno-jokes":
            #"[{"id": 229, "type": "general", "setup": "\#(one)", "punchline": "\#(two)"}]"#,
        "insults": #"{"error": false, "insult": "\#(one)", "args": {"lang": "en", "template": ""}}"#,
    ]

    @Test("each preset of type json reads answers of the documented shape, at the documented address")
    func shapes() throws {
        let server = try LoopbackServer()
        let presets = SourcePreset.all.filter { $0.entry.type == SourceKind.json.rawValue }
        #expect(Set(presets.map(\.name)) == Set(Self.answers.keys))
        var sources: [String] = []
        for preset in presets {
            var entry = preset.entry
            entry.name = preset.name
            // The address of the host, on this machine.
            let address = try #require(entry.url).split(separator: "/", maxSplits: 2)[2]
            let path = "/" + address.replacing("{page}", with: "1").prefix { $0 != "?" }
            server.route(path, .json(try #require(Self.answers[preset.name])))
            entry.url = "\(server.url)/\(address)"
            (entry.allowLocalNetwork, entry.rate) = (true, nil)
            entry.safety = "safe"
            sources.append(try JSONEncoding.text(of: entry))
        }
        let disabled = sources.map { $0.dropLast() + #", "enabled": false}"# }
        let daemon = try DaemonUnderTest(configuration: configuration(disabled.joined(separator: ", ")))
        for preset in presets {
            let result = try daemon.control("source", "test", preset.name)
            #expect(result.ending == .exited(0), "\(preset.name): \(result.errors)")
            // The server has one page.
            #expect(result.output.contains("The next request failed: ") == (preset.name == "needs-management"))
            #expect(result.output.contains(Self.one) && !result.output.contains("refused"), "\(result.output)")
        }
        let test: AnyJSON = try daemon.json("source", "test", "deno-jokes")
        let joke = try #require(test["jokes"]?.elements.first)
        #expect(joke["id"]?.text == "deno-jokes:229" && joke["punchline"]?.text == Self.two)
        #expect(joke["language"]?.text == "en" && joke["categories"]?.elements.first?.text == "general")
    }
}
