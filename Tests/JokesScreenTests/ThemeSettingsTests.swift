import JSON5
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct ThemeSettingsTests {
    private func settings(_ text: String) throws -> Settings {
        try Settings(Array(text.utf8), file: "tui.json")
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

    @Test("an error names the line, the key path, the value and the fix", arguments: Self.mistakes)
    func explains(text: String, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try settings(text) }
        #expect(error.description == "tui.json:\(words)")
    }
}
