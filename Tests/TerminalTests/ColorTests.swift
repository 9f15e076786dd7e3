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

    @Test("every color is readable on its background, or on black and white if that is unknown")
    func readable() throws {
        for role in ColorRole.allCases where role != .plain {
            for (background, cells) in [
                (Background.dark, [0x000000, 0x1E1E1E]), (.light, [0xFFFFFF]), (.unknown, [0x000000, 0xFFFFFF]),
            ] {
                let shown = try #require(color(of: role, among: 1 << 24, on: background))
                for cell in cells {
                    let contrast = contrast(shown, cell)
                    #expect(contrast >= (background == .unknown ? 3 : 4.5), "\(role) on \(background): \(contrast)")
                }
            }
        }
    }

    @Test("each color is one of the terminal's, and plain text has the default color")
    func existing() {
        for colors in [0, 2, 8, 16, 88, 256] {
            for background in Background.allCases {
                for role in ColorRole.allCases {
                    let number = color(of: role, among: colors, on: background)
                    #expect(number.map { (0..<colors).contains($0) } ?? true)
                    #expect(role != .plain || number == nil)
                }
            }
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
        try await owner.begin(type: type)
        await owner.paint(Frame(lines: [Line("Heading", Style([], .heading)), Line("last")]))
        let written = try terminal.read(until: "last")
        #expect(written.contains(command + "Heading"), "\(written.debugDescription)")
        await owner.end()
    }
}
