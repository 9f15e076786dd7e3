import JSON5
import JokesScreen
import Terminal
import TestSupport
import Testing
import Unix

@Suite struct SettingsTests {
    private func settings(_ text: String) throws -> Settings {
        try Settings(Array(text.utf8), file: "tui.json")
    }

    @Test("a list gives an action its keys, and takes them from whatever has them")
    func rebinds() throws {
        let keys = try settings(#"{"keys": {star: ["f", "^F"], /* as in less */ quit: "Q"}}"#).keys
        #expect(keys.action(for: .control("f")) == .star && keys.action(for: .character("f")) == .star)
        #expect(keys.action(for: .pageDown) == .pageDown)
        #expect(keys.action(for: .character("Q")) == .quit)
        #expect(keys.action(for: .character("q")) == nil && keys.action(for: .control("c")) == nil)
        #expect(keys.bindings.map(\.action) == KeyTable.standard.bindings.map(\.action))
    }

    @Test("keys change places, and an empty list leaves an action without any")
    func swaps() throws {
        let keys = try settings(#"{"keys": {"star": ["r"], "refresh": ["f"], "suspend": []}}"#).keys
        #expect(keys.action(for: .character("r")) == .star && keys.action(for: .character("f")) == .refresh)
        #expect(!keys.bindings.flatMap(\.keys).contains(.control("z")))
    }

    @Test("an empty file of settings changes nothing; the mouse can be left to the terminal, and rows have one line")
    func mouse() throws {
        #expect(try settings("{}") == Settings())
        #expect(try !settings(#"{"mouse": false}"#).usesMouse)
        #expect(try !settings(#"{"wrap": false}"#).wrapsRows)
    }

    @Test(
        "a mistake is told with its line, its place, and what would be right",
        arguments: [
            (#"{"keys": {"starr": ["f"]}}"#, #"1: keys.starr: there is no such action; did you mean "star"?"#),
            ("{\"keys\": {\n\"star\": [\"fo\"]}}", "2: keys.star: \"fo\" is no key; write a character, ^A to ^Z, F1"),
            (#"{"keys": {"star": ["^I"]}}"#, #"1: keys.star: "^I" is no key;"#),
            (
                "{\"keys\": {\"star\": [\"x\"],\n\n\"help\": [\"x\"]}}",
                "3: keys.help: \"x\" is bound twice, first to star in line 1; leave it to one"
            ),
            (#"{"keys": {"star": ["x", "x"]}}"#, #"1: keys.star: "x" is bound twice, first to star in line 1"#),
            ("{\"keys\": {\"star\": [\"x\"],\n\"star\": [\"y\"]}}", "2: keys.star: is there twice, first in line 1"),
            (
                #"{"keys": {"star": ["tab"]}}"#,
                #"1: keys.star: "tab" is the last key of fold; give fold another, or []"#
            ),
            (#"{"keys": {"quit": []}}"#, #"1: keys.quit: quitting needs a key; write ["q"]"#),
            (#"{"keys": {"star": 5}}"#, #"1: keys.star: 5 is not a list of keys; write ["f", "^F"]"#),
            (#"{"keys": ["f"]}"#, #"1: keys: a list is not an object; write {"star": ["f"]}"#),
            (#"{"mouse": "off"}"#, #"1: mouse: "off" is not true or false"#),
            (#"{"wrap": 1}"#, #"1: wrap: 1 is not true or false"#),
            (#"{"key": {}}"#, #"1: "key": there is no such key; did you mean "keys"?"#),
            ("{\"keys\": {}\n\"mouse\": true}", "2: a , or } is missing before"),
            ("[]", #"1: a list is not an object; write {"keys": {…}}"#),
        ])
    func mistakes(text: String, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try settings(text) }
        #expect(error.description.hasPrefix("tui.json:\(words)"), "\(error)")
    }

    @Test("all mistakes are told at once, in the order of the lines")
    func several() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try settings("{\"keys\": {\n\"starr\": [\"f\"],\n\"star\": [\"nope\", \"x\"],\n\"help\": [\"x\"]}}")
        }
        guard case .invalid(_, let problems) = error else { throw error }
        #expect(problems.map(\.line) == [2, 3, 4])
    }

    @Test("no mistake brings a control character to the terminal")
    func hostile() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try settings("{\"keys\": {\"\u{1B}[31m\": [], \"star\": [\"\u{9B}6n\"]}, \"\u{202E}\": 1}")
        }
        let forbidden: Set<Unicode.Scalar> = ["\u{1B}", "\u{9B}", "\u{202E}"]
        #expect(forbidden.isDisjoint(with: error.description.unicodeScalars))
    }

    @Test("every key of the standard table is understood by the name that the help shows")
    func names() {
        let others: [Key] = [.escape, .delete, .insert, .backspace, .backTab, .function(12), .character("^")]
        for key in KeyTable.standard.bindings.flatMap(\.keys) + others {
            #expect(Key(named: key.name) == key, "\(key.name)")
        }
    }

    @Test("without a file the keys are the standard ones, and one that cannot be read is an error")
    func file() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_CONFIG_HOME": folder.path, "HOME": "/nonexistent"]
        #expect(try Settings.load(environment) == Settings())
        #expect(try Settings.load([:]) == Settings())
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        try folder.write(#"{"keys": {"star": ["x"]}}"#, to: "jokesd/tui.json")
        #expect(try Settings.load(environment).keys.action(for: .character("x")) == .star)
        try folder.write([0x7B, 0xFF, 0x7D], to: "jokesd/tui.json")
        #expect(throws: ConfigurationError.self) { try Settings.load(environment) }
    }

    @Test("docs/viewer.md lists every action with its keys")
    func page() throws {
        let page = String(
            decoding: try contentsOfFile(PlainPython.checkout("docs/viewer.md"), limit: 1 << 20), as: UTF8.self)
        let table = KeyTable.standard.bindings.map { binding in
            let keys = binding.keys.map { "`\($0.name)`" }.joined(separator: " ")
            return "| `\(binding.action)` | \(keys) | \(binding.summary) |"
        }.joined(separator: "\n")
        #expect(page.hasSuffix("|---|---|---|\n\(table)\n"), "its table is to be:\n\(table)")
    }
}
