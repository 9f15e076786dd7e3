package import Terminal

extension Key {
    /// The name in the help, such as `j`, `^D` or `PgDn`.
    package var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let character): "^" + character.uppercased()
        case .function(let number): "F\(number)"
        default: namesOfKeys.first { $0.key == self }?.names[0] ?? "\(self)"
        }
    }

    /// The key of a name; long names in any case. Nil for an unknown name, and for a key that a terminal sends as
    /// another key, such as `^I`.
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

/// The named keys: first the name in the help, then other accepted names.
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
