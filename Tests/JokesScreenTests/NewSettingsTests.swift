import JSON5
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// Settings that are read again while the viewer runs.
@Suite struct NewSettingsTests {
    private func read(_ text: String) -> Message {
        .settingsRead(
            Result { () throws(ConfigurationError) in try Settings(Array(text.utf8), file: "/home/a/tui.json") })
    }

    @Test("new settings change the keys, and are applied to the terminal")
    func adopted() throws {
        var play = Play()
        play.happen(read(#"{keys: {quit: ["Q"]}, theme: "dark", mouse: false}"#))
        var expected = Settings(theme: .dark)
        expected.usesMouse = false
        expected.keys = play.model.keys
        #expect(play.takeEffects() == [.applySettings(expected)])
        #expect(play.screen.contains("Settings reloaded"))
        play.type("q")
        #expect(play.takeEffects() == [])
        play.type("Q")
        #expect(play.takeEffects() == [.quit])
    }

    @Test("settings with errors change nothing, and the first error is shown with its line")
    func refused() {
        var play = Play()
        let before = play.model
        play.happen(read("{\ntheme: \"drak\",\nwrap: 3, keys: {quit: ['Q']}}"))
        #expect(play.takeEffects() == [])
        #expect(play.model.notice?.text == "tui.json:2: theme: unknown theme 'drak': did you mean 'dark'?")
        #expect(play.model.notice?.role == .warning)
        #expect(play.screen.contains("tui.json:2: theme: unknown theme 'drak': did you mean 'dark'?"))
        play.press(.control("l"))
        #expect(play.model == before)
    }

    @Test("an error that is longer than the screen is wide is shown in full")
    func long() {
        var play = Play(columns: 50)
        play.happen(read("{\ntheme: \"drak\"}"))
        let lines = play.screen.split(separator: "\n").suffix(2).map { $0.drop { $0 == " " } }
        #expect(lines.joined(separator: " ") == "tui.json:2: theme: unknown theme 'drak': did you mean 'dark'?")
    }

    @Test("line wrapping changes if the file has a value for it")
    func wrapping() {
        var play = Play()
        play.type("w")
        #expect(!play.model.wrapsRows)
        play.happen(read(#"{theme: "dark"}"#))
        #expect(!play.model.wrapsRows)
        play.happen(read("{wrap: false}"))
        #expect(!play.model.wrapsRows)
        play.happen(read("{wrap: true}"))
        #expect(play.model.wrapsRows)
    }
}
