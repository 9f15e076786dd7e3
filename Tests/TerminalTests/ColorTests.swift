import Glibc
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

@Suite struct ColorTests {
    /// The themes, with the backgrounds that they are made for.
    private static let themes: [(name: String, theme: Theme, backgrounds: [Int])] = [
        ("dark", .dark, [0x000000, 0x1E1E1E]), ("light", .light, [0xFFFFFF]),
        ("solarized-dark", .solarizedDark, [0x002B36]),
        ("solarized-light", .solarizedLight, [0xFDF6E3]),
    ]

    @Test("every color is readable on the backgrounds of its theme, and in the selected row")
    func readable() throws {
        for (name, theme, backgrounds) in Self.themes {
            let selection = try #require(theme.selectionColor(among: 1 << 24))
            for role in ColorRole.allCases where role != .plain && role != .frame {
                let shown = try #require(theme.color(of: role, among: 1 << 24))
                for background in backgrounds {
                    let contrast = contrast(of: shown, on: background)
                    #expect(contrast >= role.leastContrast, "\(role) of \(name): \(contrast)")
                }
                let contrast = contrast(of: shown, on: selection)
                #expect(contrast >= 3, "\(role) of \(name) if selected: \(contrast)")
            }
        }
    }

    /// Backgrounds of known color schemes: black and white, and those of VS Code, Nord, One Dark, Gruvbox, Catppuccin,
    /// Solarized and Dracula. Then grays between them.
    private static let backgrounds = [
        0x000000, 0x1E1E1E, 0x2E3440, 0x282C34, 0x282828, 0x1E1E2E, 0x002B36, 0x282A36, 0xFFFFFF, 0xFDF6E3, 0xFBF1C7,
        0xEFF1F5,
    ]

    @Test("the default theme is readable on each background, also in the selected row, which differs from it")
    func adapted() throws {
        for background in Self.backgrounds {
            let theme = Theme.auto.adapted(to: background)
            for colors in [256, 1 << 24] {
                func shown(_ number: Int) -> Int { colors == 256 ? redGreenBlue(of: number) : number }
                let selection = try shown(#require(theme.selectionColor(among: colors)))
                let step = contrast(of: selection, on: background)
                #expect((1.3...1.7).contains(step), "\(String(background, radix: 16)): \(step)")
                for role in ColorRole.allCases where role != .plain {
                    let color = try shown(#require(theme.color(of: role, among: colors)))
                    for place in [background, selection] {
                        let contrast = contrast(of: color, on: place)
                        let least = role.leastContrast
                        #expect(contrast >= least, "\(role) on \(String(background, radix: 16)): \(contrast)")
                    }
                }
            }
        }
        #expect(Theme.auto.adapted(to: nil) == .auto && Theme.dark.adapted(to: 0xFFFFFF) == .dark)
        var changed = Theme.auto
        changed.set(.accent, to: .number(5))
        changed.setSelection(.standard)
        let adapted = changed.adapted(to: 0x2E3440)
        #expect(adapted.color(of: .accent, among: 256) == 5 && adapted.selectionColor(among: 256) == nil)
        #expect(adapted.color(of: .heading, among: 256) != changed.color(of: .heading, among: 256))
    }

    @Test("on an unknown background, the selected row is in reverse video, and the colors are the terminal's")
    func unknown() {
        #expect(Theme.auto.selectionColor(among: 256) == nil)
        for role in ColorRole.allCases {
            #expect(Theme.auto.color(of: role, among: 256).map { $0 < 16 } ?? true)
        }
    }

    @Test(
        "with the first 8 or 16 colors of xterm, every color is readable on black and on white, and if it may be either"
    )
    func basic() {
        for (theme, background) in [
            (Theme.dark, 0x000000), (.light, 0xFFFFFF), (.auto, 0x000000), (.auto, 0xFFFFFF),
        ] {
            for (role, colors) in ColorRole.allCases.flatMap({ role in [8, 16].map { (role, $0) } }) {
                guard let number = theme.color(of: role, among: colors) else { continue }
                let contrast = contrast(of: redGreenBlue(of: number), on: background)
                #expect(contrast >= 3, "\(role) of \(colors) on \(background): \(contrast)")
            }
        }
    }

    @Test("rules are dimmer than muted text, but visible")
    func frames() throws {
        for (name, theme, backgrounds) in Self.themes {
            for background in backgrounds {
                let contrasts = try [ColorRole.frame, .muted].map { role in
                    try contrast(of: #require(theme.color(of: role, among: 256).map(redGreenBlue(of:))), on: background)
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

    @Test("a color that the user sets replaces that of the theme, with any number of colors and in the selected row")
    func replaced() throws {
        for (_, theme, _) in Self.themes {
            var changed = theme
            for role in ColorRole.allCases { changed.set(role, to: .number(5)) }
            for colors in [8, 16, 256] {
                for role in ColorRole.allCases {
                    #expect(changed.color(of: role, among: colors) == 5)
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
            ("15;0" as String?, 0x000000), ("0;15", 0xFFFFFF), ("0;default;7", 0xFFFFFF), ("7;8", 0x000000),
            ("15", nil), ("15;default", nil), ("", nil), (nil, nil), ("a;b", nil), ("1;16", nil),
        ] as [(String?, Int?)])
    func background(value: String?, color: Int?) {
        #expect(Background.color(colorFGBG: value) == color)
    }

    @Test(
        "the reply of a terminal has its background",
        arguments: [
            ("11;rgb:2e2e/3434/4040", 0x2E3440), ("11;rgb:ff/ff/ff", 0xFFFFFF), ("11;rgb:f/8/0", 0xFF8800),
            ("11;rgb:fff/000/fff", 0xFF00FF), ("11;rgb:ff/ff", nil), ("11;rgb:fffff/0/0", nil), ("11;rgb:/0/0", nil),
            ("11;rgb:-1/0/0", nil), ("10;rgb:0/0/0", nil), ("11;#ffffff", nil), ("", nil),
        ] as [(String, Int?)])
    func reply(text: String, color: Int?) {
        #expect(Background.color(reply: text) == color)
        var decoder = InputDecoder()
        let inputs = "\u{1B}]\(text)\u{1B}\\j".unicodeScalars.compactMap { decoder.decode($0) }
        #expect(inputs == [.key(.character("j"))] && decoder.replies == (color.map { [.background($0)] } ?? []))
    }
}

extension ScreenTests {
    @Test(
        "colors are written for terminals with 8 and 256 colors, and none for others; the Linux console is black",
        arguments: [("xterm", "\u{1B}[35m"), ("xterm-256color", "\u{1B}[35m"), ("vt100", ""), ("linux", "\u{1B}[36m")])
    func colors(type: String, command: String) async throws {
        try await owner.begin(type: type, theme: .auto)
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

    @Test("the screen asks for the background, adapts to it and to changes, and leaves no reply to the shell")
    func asked() async throws {
        try await owner.begin(theme: .auto)
        await owner.paint(Frame(lines: [Line("Joke", .accent).highlighted, Line("last")]))
        #expect(try terminal.read(until: "last").contains("\u{1B}]11;?\u{1B}\\\u{1B}[c"))
        try terminal.type("\u{1B}]11;rgb:2e2e/3434/4040\u{1B}\\\u{1B}[?62;22cj")
        #expect(try terminal.read(until: "last").contains("48;5;"))
        #expect(try owner.events.take() == .input([.key(.character("j"))]))
        try terminal.type("\u{1B}[?997;2n")
        _ = try terminal.read(until: "\u{1B}]11;?\u{1B}\\\u{1B}[c")
        try terminal.type("\u{1B}]11;rgb:ff/ff/ff\u{7}")
        #expect(try terminal.read(until: "last").contains("48;5;"))
        // The end of the replies is still due, and is not left for the next program.
        try terminal.type("\u{1B}[?62;22c")
        await owner.end()
        var count: Int32 = 0
        #expect(ioctl(terminal.terminal, UInt(FIONREAD), &count) == 0 && count == 0)
        #expect(owner.events.takeAll().isEmpty)
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
