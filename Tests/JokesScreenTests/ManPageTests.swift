import JokesScreen
import Terminal
import TestSupport
import Testing

/// The manual page of the viewer says what its keys do.
@Suite struct ManPageTests {
    @Test("jokes-tui(1) lists every key with its action and what it does")
    func keys() throws {
        let page = try ManPage("jokes-tui.1")
        let rows = page.items(in: "KEYS").map { row in
            row.split(separator: " Ta ").map { ManPage.shown(String($0)) }
        }
        let table = KeyTable.standard.bindings.map { binding in
            let names = binding.keys.map(\.name)
            let keys = names.count > 4 ? "\(names[0]) ... \(names[names.count - 1])" : names.joined(separator: " ")
            return [keys, binding.action.rawValue, binding.summary]
        }
        #expect(rows.sorted { $0[1] < $1[1] } == table.sorted { $0[1] < $1[1] })
    }

    @Test("the file of keys that jokes-tui(1) shows is one")
    func settings() throws {
        let displays = try ManPage("jokes-tui.1").displays(in: "KEYS OF YOUR OWN")
        #expect(displays.count == 1)
        let settings = try Settings(Array(displays.joined().utf8), file: "tui.json")
        #expect(settings.keys.action(for: .character("f")) == .star && !settings.usesMouse && !settings.wrapsRows)
    }
}
