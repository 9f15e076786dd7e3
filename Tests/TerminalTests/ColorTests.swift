import Glibc
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

@Suite struct ColorTests {
    /// The relative luminance by WCAG of red, green and blue, a byte each.
    private func luminance(_ color: Int) -> Double {
        let parts = [color >> 16, color >> 8 & 0xFF, color & 0xFF].map { byte in
            let part = Double(byte) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// WCAG's contrast, from 1 to 21.
    private func contrast(_ color: Int, _ background: Int) -> Double {
        let pair = [luminance(color), luminance(background)].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    /// The themes, with the backgrounds that they are made for.
    private static let themes: [(name: String, theme: Theme, backgrounds: [Int])] = [
        ("dark", .dark, [0x000000, 0x1E1E1E]), ("light", .light, [0xFFFFFF]),
        ("neutral", .neutral, [0x000000, 0xFFFFFF]), ("solarized-dark", .solarizedDark, [0x002B36]),
        ("solarized-light", .solarizedLight, [0xFDF6E3]),
    ]

    @Test("every color is readable on the backgrounds of its theme, and in the selected row")
    func readable() throws {
        for (name, theme, backgrounds) in Self.themes {
            let least = name == "neutral" ? 3 : 4.5
            let selection = try #require(theme.selectionColor(among: 1 << 24))
            for role in ColorRole.allCases where role != .plain && role != .frame {
                let shown = try #require(theme.color(of: role, among: 1 << 24))
                for background in backgrounds {
                    let contrast = contrast(shown, background)
                    #expect(contrast >= (role == .muted ? 3 : least), "\(role) of \(name): \(contrast)")
                }
                let selected = try #require(theme.ofSelectedRow.color(of: role, among: 1 << 24))
                let contrast = contrast(selected, selection)
                #expect(contrast >= 3, "\(role) of \(name) if selected: \(contrast)")
            }
        }
    }

    @Test("rules are dimmer than muted text, but visible")
    func frames() throws {
        for (name, theme, backgrounds) in Self.themes where name != "neutral" {
            for background in backgrounds {
                let contrasts = try [ColorRole.frame, .muted].map { role in
                    try contrast(#require(theme.color(of: role, among: 256).map(redGreenBlue(of:))), background)
                }
                #expect(contrasts[0] >= 1.5 && contrasts[0] < contrasts[1], "\(name): \(contrasts)")
            }
        }
    }

    @Test("each color is one of the terminal's, and plain text has the default color")
    func existing() {
        for colors in [0, 2, 8, 16, 88, 256] {
            for (_, theme, _) in Self.themes {
                for role in ColorRole.allCases {
                    let number = theme.color(of: role, among: colors)
                    #expect(number.map { (0..<colors).contains($0) } ?? true)
                    #expect(role != .plain || number == nil)
                }
            }
        }
    }

    @Test(
        "a terminal with fewer colors gets the nearest one, or its own color if that may be the background",
        arguments: [
            (ThemeColor.redGreenBlue(0x5FB0FE), 256, 75 as Int?), (.redGreenBlue(0xFF0001), 256, 196),
            (.redGreenBlue(0xFA0505), 16, 9), (.redGreenBlue(0x7A7A80), 16, 8), (.redGreenBlue(0xFA0505), 8, 1),
            (.redGreenBlue(0x101010), 8, nil), (.redGreenBlue(0xFFFFFF), 8, nil), (.number(75), 16, 12),
            (.number(75), 8, 6), (.number(12), 16, 12), (.number(12), 8, 4), (.number(8), 16, 8), (.number(8), 8, nil),
            (.number(0), 8, 0), (.number(7), 8, 7), (.number(3), 1 << 24, 3), (.number(8), 1 << 24, 0x7F7F7F),
            (.number(75), 1 << 24, 0x5FAFFF), (.redGreenBlue(0x123456), 1 << 24, 0x123456),
            // 1 to 7 would be colors of the palette.
            (.redGreenBlue(0x000005), 1 << 24, 0), (.standard, 256, nil), (.number(75), 2, nil),
        ])
    func nearest(set: ThemeColor, colors: Int, number: Int?) {
        var theme = Theme.mono
        theme.set(.accent, to: set)
        #expect(theme.color(of: .accent, among: colors) == number)
    }

    @Test("a color that is one of 256 is shown as it is")
    func same() throws {
        for value in (16...255).map(redGreenBlue(of:)) {
            var theme = Theme.dark
            theme.set(.bad, to: .redGreenBlue(value))
            #expect(try redGreenBlue(of: #require(theme.color(of: .bad, among: 256))) == value)
        }
    }

    @Test("a color that the user sets replaces that of the theme, with any number of colors and in the selected row")
    func replaced() throws {
        for (_, theme, _) in Self.themes {
            var changed = theme
            for role in ColorRole.allCases { changed.set(role, to: .number(5)) }
            for colors in [8, 16, 256] {
                for role in ColorRole.allCases {
                    #expect(changed.color(of: role, among: colors) == 5)
                    #expect(changed.ofSelectedRow.color(of: role, among: colors) == 5)
                }
            }
            changed.setSelection(.number(19))
            #expect(changed.selectionColor(among: 256) == 19 && changed.selectionColor(among: 16) == nil)
            changed.setSelection(.standard)
            #expect(changed.selectionColor(among: 256) == nil)
        }
    }

    @Test(
        "COLORFGBG sets the background",
        arguments: [
            ("15;0" as String?, Background.dark), ("0;15", .light), ("0;default;7", .light), ("7;8", .dark),
            ("15", .unknown), ("15;default", .unknown), ("", .unknown), (nil as String?, .unknown), ("a;b", .unknown),
            ("1;16", .unknown),
        ])
    func background(value: String?, background: Background) {
        #expect(Background(colorFGBG: value) == background)
    }
}

extension ScreenTests {
    @Test(
        "colors are written for terminals with 8 and 256 colors, and none for others",
        arguments: [("xterm", "\u{1B}[36m"), ("xterm-256color", "\u{1B}[38;5;32m"), ("vt100", "")])
    func colors(type: String, command: String) async throws {
        try await owner.begin(type: type, theme: .neutral)
        await owner.paint(Frame(lines: [Line("Heading", Style([], .heading)), Line("last")]))
        let written = try terminal.read(until: "last")
        #expect(written.contains(command + "Heading"), "\(written.debugDescription)")
        await owner.end()
    }

    @Test(
        "the selected row has a background with 256 colors, and reverse video without colors otherwise",
        arguments: [
            ("xterm", Theme.dark, "\u{1B}[0;7m"), ("xterm-256color", .dark, "\u{1B}[38;5;215m\u{1B}[48;5;237m"),
            ("xterm-256color", .mono, "\u{1B}[0;7m"),
        ])
    func selection(type: String, theme: Theme, command: String) async throws {
        try await owner.begin(type: type, theme: theme)
        await owner.paint(Frame(lines: [Line("Joke", .accent).highlighted, Line("last")]))
        let written = try terminal.read(until: "last")
        #expect(written.contains(command + "Joke"), "\(written.debugDescription)")
        await owner.end()
    }

    @Test("a new theme is painted at once, and nothing is colored if colors are off")
    func changedTheme() async throws {
        try await owner.begin(theme: .dark)
        await owner.paint(Frame(lines: [Line("Heading", Style([], .heading)), Line("last")]))
        _ = try terminal.read(until: "last")
        await owner.setTheme(.light)
        #expect(try terminal.read(until: "last").contains("\u{1B}[38;5;25mHeading"))
        await owner.setTheme(.mono)
        #expect(try !terminal.read(until: "last").contains("[38;"))
        await owner.leave()
        try await owner.begin(color: .never, theme: .mono)
        await owner.paint(Frame(lines: [Line("Heading", Style([], .heading)), Line("end")]))
        _ = try terminal.read(until: "end")
        await owner.setTheme(.light)
        #expect(try !terminal.read(until: "end").contains("[38;"))
        await owner.end()
    }

    @Test("the mouse can be switched while the screen is shown")
    func switchedMouse() async throws {
        try await owner.begin()
        _ = try terminal.read(until: "\u{1B}[?2004h")
        await owner.setMouse(isUsed: false)
        let off = try terminal.read(until: "\u{1B}[?2004h")
        #expect(off.contains("\u{1B}[?1000l") && !off.contains("\u{1B}[?1000h"))
        await owner.setMouse(isUsed: true)
        #expect(try terminal.read(until: "\u{1B}[?2004h").contains("\u{1B}[?1000h\u{1B}[?1006h"))
        await owner.end()
    }
}
