package import Terminal

// How keys are called: in the help, and in tui.json.

extension Key {
    /// The key as a help names it: `j`, `^D`, `PgDn`.
    package var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let character): "^" + character.uppercased()
        case .function(let number): "F\(number)"
        default: namesOfKeys.first { $0.key == self }?.names[0] ?? "\(self)"
        }
    }

    /// The key of a name, whatever the case of names longer than a character.
    ///
    /// Nil for what is no key, and for what a terminal cannot tell from another key: `^I` is the key tab.
    package init?(named name: String) {
        let word = name.lowercased()
        if let key = namesOfKeys.first(where: { $0.names.contains { $0.lowercased() == word } })?.key {
            self = key
        } else if name.count == 1, let character = name.first, character.isTyped {
            self = .character(character)
        } else if let control = Self.control(word) {
            self = control
        } else if let function = Self.function(word) {
            self = function
        } else {
            return nil
        }
    }

    private static func control(_ word: String) -> Key? {
        guard word.count == 2, word.first == "^", let letter = word.last, ("a"..."z").contains(letter),
            !"hijm".contains(letter)
        else { return nil }
        return .control(letter)
    }

    private static func function(_ word: String) -> Key? {
        guard word.first == "f", let number = Int(word.dropFirst()), (1...63).contains(number),
            word == "f\(number)"
        else { return nil }
        return .function(number)
    }
}

extension Character {
    fileprivate var isTyped: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}

/// Keys that are no character: the name that the help shows, and others that are understood.
private let namesOfKeys: [(key: Key, names: [String])] = [
    (.character(" "), ["space"]),
    (.enter, ["enter", "return"]),
    (.tab, ["tab"]),
    (.backTab, ["shift-tab"]),
    (.escape, ["escape", "esc"]),
    (.backspace, ["backspace"]),
    (.delete, ["delete", "del"]),
    (.insert, ["insert", "ins"]),
    (.up, ["\u{2191}", "up"]),
    (.down, ["\u{2193}", "down"]),
    (.left, ["\u{2190}", "left"]),
    (.right, ["\u{2192}", "right"]),
    (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown"]),
    (.home, ["home"]),
    (.end, ["end"]),
]
