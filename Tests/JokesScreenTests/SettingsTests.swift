import JSON5
import Terminal
import TestSupport
import Testing
import TextLayout
import Unix

@testable import JokesScreen

@Suite struct SettingsTests {
    private func settings(_ text: String) throws -> Settings {
        try Settings(Array(text.utf8), file: "tui.json")
    }

    @Test("a list sets the keys of an action, and other actions lose them")
    func rebinds() throws {
        let keys = try settings(#"{"keys": {star: ["f", "^F"], /* as in less */ quit: "Q"}}"#).keys
        #expect(keys.action(for: .control("f")) == .star && keys.action(for: .character("f")) == .star)
        #expect(keys.action(for: .pageDown) == .pageDown)
        #expect(keys.action(for: .character("Q")) == .quit)
        #expect(keys.action(for: .character("q")) == nil && keys.action(for: .control("c")) == nil)
        #expect(keys.bindings.map(\.action) == KeyTable.standard.bindings.map(\.action))
    }

    @Test("keys can be swapped, and an empty list leaves an action without keys")
    func swaps() throws {
        let keys = try settings(#"{"keys": {"star": ["r"], "refresh": ["f"], "suspend": []}}"#).keys
        #expect(keys.action(for: .character("r")) == .star && keys.action(for: .character("f")) == .refresh)
        #expect(!keys.bindings.flatMap(\.keys).contains([.control("z")]))
    }

    @Test("an empty file is valid; mouse and wrap can be false")
    func mouse() throws {
        #expect(try settings("{}") == Settings())
        #expect(try !settings(#"{"mouse": false}"#).usesMouse)
        #expect(try settings(#"{"wrap": false}"#).wrapsRows == false)
    }

    @Test(
        "a theme is named, or has colors on top of another one",
        arguments: [
            (#""auto""#, Theme.auto), (#""dark""#, .dark), (#""light""#, .light), (#""mono""#, .mono),
            (#""solarized-dark""#, .solarizedDark), (#""solarized-light""#, .solarizedLight), ("{}", .auto),
            (#"{"base": "light"}"#, .light),
        ])
    func themes(text: String, theme: Theme) throws {
        #expect(try settings(#"{"theme": \#(text)}"#).theme == theme)
    }

    @Test("colors are set by number, by RGB value, and by name")
    func colors() throws {
        var expected = Theme.dark
        expected.set(.plain, to: .standard)
        expected.set(.heading, to: .redGreenBlue(0x5FAFFF))
        expected.set(.accent, to: .number(215))
        expected.set(.muted, to: .number(8))
        expected.set(.frame, to: .number(0))
        expected.set(.good, to: .number(15))
        expected.set(.warning, to: .number(3))
        expected.set(.bad, to: .redGreenBlue(0xABCDEF))
        expected.setSelection(.number(236))
        let found = try settings(
            """
            {theme: {
                base: "dark", text: "default", heading: "#5fafff", accent: 215, muted: "bright-black", frame: "black",
                good: "bright-white", warning: "yellow", bad: "#ABCDEF", selection: 236,
            }}
            """)
        #expect(found.theme == expected)
        #expect(try settings("{theme: {accent: 1}}").theme != Theme.auto)
    }

    private static let mistakes: [(text: String, words: String)] = [
        (#"{"keys": {"starr": ["f"]}}"#, "1: keys: unknown action 'starr': did you mean 'star'?"),
        (#"{"keys": {"favourite": ["f"]}}"#, "1: keys: unknown action 'favourite': use one of \(actions)"),
        (
            "{\"keys\": {\n\"star\": [\"foo\"]}}",
            """
            2: keys.star: unknown key name 'foo': use a character, ^A to ^Z (but not ^H, ^I, ^J or ^M), F1 to F63, \
            space, enter, tab, shift-tab, escape, backspace, delete, insert, up, down, left, right, PgUp, PgDn, home \
            or end, or two keys such as "g g"
            """
        ),
        (#"{"keys": {"star": ["PgDwn"]}}"#, "1: keys.star: unknown key name 'PgDwn': did you mean 'PgDn'?"),
        (
            "{\"keys\": {\"star\": [\"x\"],\n\n\"help\": [\"x\"]}}",
            "3: keys.help: 'x' is already bound to star on line 1: remove one"
        ),
        (
            "{\"keys\": {\"star\": [\"g g\"],\n\"help\": [\"g\"]}}",
            "2: keys.help: 'g' begins as a key of star on line 1: remove one"
        ),
        (#"{"keys": {"star": ["x", "x"]}}"#, "1: keys.star: 'x' is already bound to star on line 1: remove one"),
        ("{\"keys\": {\"star\": [\"x\"],\n\"star\": [\"y\"]}}", "2: keys.star: duplicate key: first used on line 1"),
        (
            #"{"keys": {"star": ["tab"]}}"#,
            "1: keys.star: 'tab' is the only key of fold: bind fold to another key, or to []"
        ),
        (#"{"keys": {"quit": []}}"#, #"1: keys.quit: quit needs a key: write ["q"]"#),
        (#"{"keys": {"star": 5}}"#, #"1: keys.star: expected a list of keys such as ["f", "^F"], found 5"#),
        ("{\"keys\": {\"star\": [\"f\",\n5]}}", #"2: keys.star: expected a key such as "f", found 5"#),
        (#"{"keys": ["f"]}"#, "1: keys: expected an object { … }, found a list"),
        (#"{"mouse": "off"}"#, "1: mouse: expected true or false, found 'off'"),
        (#"{"wrap": 1}"#, "1: wrap: expected true or false, found 1"),
        (#"{"key": {}}"#, "1: unknown key 'key': did you mean 'keys'?"),
        (#"{"colors": {}}"#, "1: unknown key 'colors': use one of keys, mouse, theme, wrap"),
        ("{\"keys\": {}\n\"mouse\": true}", "2: expected ',' or '}', found '\"'"),
        ("[]", "1: expected an object { … }, found a list"),
        ("{\"mouse\": false,\n\"theme\": \"drak\"}", "2: theme: unknown theme 'drak': did you mean 'dark'?"),
        (
            #"{"theme": "solarized"}"#,
            """
            1: theme: unknown theme 'solarized': use one of auto, dark, light, mono, solarized-dark, solarized-light
            """
        ),
        (#"{"theme": 5}"#, #"1: theme: expected the name of a theme such as "dark", or an object { … }, found 5"#),
        (#"{"theme": {"base": "lihgt"}}"#, "1: theme.base: unknown theme 'lihgt': did you mean 'light'?"),
        (#"{"theme": {"base": {}}}"#, "1: theme.base: expected text in quotes, found an object"),
        (#"{"theme": {"acent": 1}}"#, "1: theme: unknown key 'acent': did you mean 'accent'?"),
        (
            #"{"theme": {"background": 1}}"#,
            """
            1: theme: unknown key 'background': \
            use one of accent, bad, base, frame, good, heading, muted, selection, text, warning
            """
        ),
        ("{\"theme\": {\n\"bad\": 256}}", "2: theme.bad: 256 is not between 0 and 255"),
        (#"{"theme": {"bad": 1.5}}"#, "1: theme.bad: expected a whole number, found 1.5"),
        (
            #"{"theme": {"bad": true}}"#,
            ##"1: theme.bad: expected a color such as "red", 215 or "#5fafff", found true"##
        ),
        (
            ##"{"theme": {"bad": "#5faff"}}"##,
            "1: theme.bad: '#5faff' is not a color: write # and six hexadecimal digits, such as #5fafff"
        ),
        (
            ##"{"theme": {"bad": "#+5faff"}}"##,
            "1: theme.bad: '#+5faff' is not a color: write # and six hexadecimal digits, such as #5fafff"
        ),
        (#"{"theme": {"bad": "magneta"}}"#, "1: theme.bad: unknown color 'magneta': did you mean 'magenta'?"),
        (
            #"{"theme": {"selection": "gold"}}"#,
            """
            1: theme.selection: unknown color 'gold': use one of #rrggbb, a number from 0 to 255, black, blue, \
            bright-black, bright-blue, bright-cyan, bright-green, bright-magenta, bright-red, bright-white, \
            bright-yellow, cyan, default, green, magenta, red, white, yellow
            """
        ),
    ]

    private static let actions = KeyTable.standard.bindings.map(\.action.rawValue).sorted().joined(separator: ", ")

    @Test("an error names the line, the key path, the value and the fix", arguments: Self.mistakes)
    func explains(text: String, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try settings(text) }
        #expect(error.description == "tui.json:\(words)")
    }

    @Test("all errors are reported at once, by line")
    func several() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try settings("{\"keys\": {\n\"starr\": [\"f\"],\n\"star\": [\"nope\", \"x\"],\n\"help\": [\"x\"]}}")
        }
        guard case .invalid(_, let problems) = error else { throw error }
        #expect(problems.map(\.line) == [2, 3, 4])
    }

    @Test("no error writes a control character")
    func hostile() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try settings("{\"keys\": {\"\u{1B}[31m\": [], \"star\": [\"\u{9B}6n\"]}, \"\u{202E}\": 1}")
        }
        let forbidden: Set<Unicode.Scalar> = ["\u{1B}", "\u{9B}", "\u{202E}"]
        #expect(forbidden.isDisjoint(with: error.description.unicodeScalars))
    }

    @Test("the name of every default key in the help is accepted in the file")
    func names() {
        let others: [Key] = [.escape, .delete, .insert, .backspace, .backTab, .function(12), .character("^")]
        for key in KeyTable.standard.bindings.flatMap(\.keys).flatMap(\.self) + others {
            #expect(Key(named: key.name) == key, "\(key.name)")
        }
        for keys in KeyTable.standard.bindings.flatMap(\.keys) + [[.control("x"), .left], .typed("g ")] {
            #expect([Key](named: keys.name) == keys, "\(keys.name)")
        }
    }

    @Test("without a file the default keys apply, and an unreadable file is an error")
    func file() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_CONFIG_HOME": folder.path, "HOME": "/nonexistent"]
        #expect(try Settings.load(environment) == Settings())
        #expect(try Settings.load([:]) == Settings())
        try makeFolder(folder.path("jokesd"), mode: 0o700)
        try folder.write(#"{"keys": {"star": ["x"]}}"#, to: "jokesd/tui.json")
        #expect(try Settings.load(environment).keys.action(for: .character("x")) == .star)
        #expect(try Settings.load(environment).theme == .auto)
        try folder.write([0x7B, 0xFF, 0x7D], to: "jokesd/tui.json")
        #expect(throws: ConfigurationError.self) { try Settings.load(environment) }
    }

    @Test("docs/viewer.md lists every action with its keys")
    func page() throws {
        let page = String(
            decoding: try contentsOfFile(SystemPython.checkoutPath("docs/viewer.md"), limit: 1 << 20), as: UTF8.self)
        let table = KeyTable.standard.bindings.map { binding in
            let keys = binding.keys.map { "`\($0.name)`" }.joined(separator: " ")
            return "| `\(binding.action)` | \(keys) | \(binding.summary) |"
        }.joined(separator: "\n")
        #expect(page.hasSuffix("|---|---|---|\n\(table)\n"), "the table of the page should be:\n\(table)")
    }
}
