import Glibc
import Terminal
import TestSupport
import Testing

@Suite struct KeyTests {
    @Test(
        "an escape is a key after 50 ms, or after ESCDELAY",
        arguments: [(nil, 50), ("1000", 1000), ("0", 0), ("-1", 50), ("", 50), ("2s", 50), ("99999999999", 50)]
            as [(String?, Int)])
    func escape(variable: String?, delay: Int) {
        #expect(escapeDelay(variable) == .milliseconds(delay))
    }

    @Test("characters are keys, and control with a letter")
    func typed() {
        let keys: [(Unicode.Scalar, Key?)] = [
            ("j", .character("j")), ("é", .character("é")), ("\u{4}", .control("d")), ("\r", .enter),
            ("\u{1B}", .escape), ("\u{7F}", .backspace), ("\u{0}", nil), ("\u{85}", nil),
        ]
        for (scalar, key) in keys { #expect(Key(typed: scalar) == key, "\(scalar.value)") }
    }

    /// Keys with all their sequences. What these terminals send is in their terminfo entries: xterm and its alternate
    /// forms, screen, tmux, linux, vt220, foot, kitty, rxvt.
    private static let sequences: [(key: Key, texts: [String])] = [
        (
            .up,
            [
                "\u{1B}[A", "\u{1B}OA", "\u{1B}[1;2A", "\u{1B}[1;5A", "\u{1B}Oa", "\u{1B}[1;129A",
                "\u{1B}\u{1B}[A",
            ]
        ),
        (.down, ["\u{1B}[B", "\u{1B}OB", "\u{1B}[1B", "\u{1B}[b"]),
        (.right, ["\u{1B}[C", "\u{1B}OC", "\u{1B}[1;2C"]),
        (.left, ["\u{1B}[D", "\u{1B}OD", "\u{1B}[1;2D"]),
        (.home, ["\u{1B}[H", "\u{1B}OH", "\u{1B}[1~", "\u{1B}[7~", "\u{1B}[1;5H", "\u{1B}[7^"]),
        (.end, ["\u{1B}[F", "\u{1B}OF", "\u{1B}[4~", "\u{1B}[8~", "\u{1B}[1;2F"]),
        (.pageUp, ["\u{1B}[5~", "\u{1B}[5;5~"]), (.pageDown, ["\u{1B}[6~", "\u{1B}[6;2~"]),
        (.delete, ["\u{1B}[3~"]), (.insert, ["\u{1B}[2~"]), (.backTab, ["\u{1B}[Z", "\u{1B}[9;2u", "\u{1B}[1;2Z"]),
        (.function(1), ["\u{1B}OP", "\u{1B}[11~", "\u{1B}[P", "\u{1B}[1P", "\u{1B}[[A"]),
        (.function(5), ["\u{1B}[15~"]),
        (.function(12), ["\u{1B}[24~"]), (.function(13), ["\u{1B}[1;2P", "\u{1B}O2P", "\u{1B}O1;2P", "\u{1B}[25~"]),
        (.function(20), ["\u{1B}[34~"]),
        (.enter, ["\r", "\u{1B}OM", "\u{1B}[13u"]), (.escape, ["\u{1B}[27u", "\u{1B}[27;1u"]),
        (.tab, ["\t", "\u{1B}[9u"]), (.backspace, ["\u{8}", "\u{7F}", "\u{1B}[127u"]),
        (.character("1"), ["1", "\u{1B}Oq"]), (.character("+"), ["\u{1B}Ok"]),
        (.character("a"), ["\u{1B}[97u", "\u{1B}[97;129u"]),
        (.character("H"), ["H", "\u{1B}[104;2u", "\u{1B}[27;2;72~"]),
        (.control("a"), ["\u{1}", "\u{1B}[97;5u", "\u{1B}[27;5;97~"]),
        (.alt("f"), ["\u{1B}f", "\u{1B}[102;3u", "\u{1B}[1;5C", "\u{1B}[1;3C"]), (.alt("H"), ["\u{1B}H"]),
        (.alt("b"), ["\u{1B}[1;5D", "\u{1B}b"]),
    ]

    @Test("a key is known in each form that terminals have for it")
    func known() {
        for (key, texts) in Self.sequences {
            for text in texts {
                var decoder = InputDecoder()
                let inputs = text.unicodeScalars.compactMap { decoder.decode($0) }
                #expect(inputs == [.key(key)] && !decoder.isWaiting, "\(text.debugDescription)")
            }
        }
    }

    /// How infocmp(1) writes control characters.
    private static let escapes = [
        "\\E": "\u{1B}", "^H": "\u{8}", "^I": "\t", "^M": "\r", "^?": "\u{7F}", "\\177": "\u{7F}",
    ]

    @Test(
        "a key of terminfo is that key or does nothing",
        arguments: [
            "xterm", "xterm-256color", "tmux", "tmux-256color", "screen", "screen-256color", "vt220", "linux", "rxvt",
            "rxvt-unicode", "Eterm", "cygwin",
        ])
    func terminfo(type: String) throws {
        try checkKeys(of: type)
    }

    @Test(
        "a key of the terminfo of other terminals is that key or does nothing",
        .enabled(if: access("/usr/share/terminfo/k/kitty", R_OK) == 0, "ncurses-term is not installed"),
        arguments: ["kitty", "alacritty", "konsole", "st", "putty", "gnome", "vte", "iterm2", "mintty"])
    func otherTerminfo(type: String) throws {
        try checkKeys(of: type)
    }

    private func checkKeys(of type: String) throws {
        let keys: [String: Key] = [
            "kcuu1": .up, "kcud1": .down, "kcub1": .left, "kcuf1": .right, "khome": .home, "kend": .end, "kfnd": .home,
            "kslt": .end, "kpp": .pageUp, "knp": .pageDown, "kdch1": .delete, "kich1": .insert, "kcbt": .backTab,
            "kf2": .function(2), "kf5": .function(5), "kf12": .function(12), "kent": .enter, "kbs": .backspace,
        ]
        let shown = try ChildProcess.run("/usr/bin/infocmp", ["-1", "-x", type])
        try #require(shown.ending == .exited(0), "\(shown.errors)")
        for line in shown.output.split(separator: "\n") {
            let parts = line.drop { $0.isWhitespace }.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0].hasPrefix("k") else { continue }
            let text = Self.escapes.reduce(String(parts[1].dropLast())) { $0.replacing($1.key, with: $1.value) }
            var decoder = InputDecoder()
            let inputs = text.unicodeScalars.compactMap { decoder.decode($0) }
            if let key = keys[parts[0]] {
                #expect(inputs == [.key(key)], "\(parts)")
            } else if text.first == "\u{1B}" {
                #expect(inputs.count <= 1 && !inputs.contains { $0.isLetter }, "\(parts) is \(inputs)")
            }
        }
    }
}

extension Input {
    /// True for a key with a letter, which may be bound to a change.
    fileprivate var isLetter: Bool {
        if case .key(.character(let character)) = self { character.isLetter } else { false }
    }
}
