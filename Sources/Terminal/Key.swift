/// A pressed key.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// A lower-case letter, such as `.control("x")`.
    case control(Character)
    case alt(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right
    case pageUp, pageDown, home, end
    case function(Int)
}

extension Key {
    /// The key of a character outside sequences; nil if it has none.
    package init?(typed scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x0A, 0x0D: self = .enter
        case 0x09: self = .tab
        case 0x1B: self = .escape
        case 0x08, 0x7F: self = .backspace
        // Control clears two bits of the letter; 0 is control with a blank.
        case 0x01...0x1A: self = .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x60))))
        case 0x20...0x7E, 0xA0...: self = .character(Character(scalar))
        default: return nil
        }
    }

    /// The key of `ESC O`, parameters and this character, as in VT100's application mode; nil if there is none. The
    /// parameters are the modifiers, alone or after `1;`.
    init?(keypad scalar: Unicode.Scalar, _ parameters: String) {
        switch scalar {
        case _ where !parameters.isEmpty:
            self.init(controlSequence: parameters.contains(";") ? parameters : "1;\(parameters)", final: scalar)
        case "M": self = .enter
        case "I": self = .tab
        case "X": self = .character("=")
        // From `*` to `9`, as far as a keypad has them.
        case "j"..."y": self = .character(Character(Unicode.Scalar(UInt8(scalar.value - 0x40))))
        default: self.init(controlSequence: "", final: scalar)
        }
    }

    /// The key of `ESC [`, the parameters and the final character; nil if there is none.
    ///
    /// It knows the keys of xterm, VT220, rxvt and the Linux console.
    init?(controlSequence parameters: String, final: Unicode.Scalar) {
        if parameters == "[", ("A"..."E").contains(final) {
            self = .function(Int(final.value) - 0x40)
            return
        }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count <= 3, !numbers.dropFirst().contains(nil) else { return nil }
        // The sum of 1, the modifiers, 64 for Caps Lock and 128 for Num Lock.
        guard let sum = numbers.count > 1 ? numbers[1] : 1, (1...256).contains(sum) else { return nil }
        let modifiers = (sum - 1) & 63
        switch final {
        case "u": self.init(code: numbers[0], modifiers)
        case "~" where numbers[0] == 27: self.init(code: numbers.count == 3 ? numbers[2] : nil, modifiers)
        case "~" where numbers.count <= 2: self.init(Self.numbered(numbers[0] ?? 0), modifiers)
        // rxvt, with Control and with both.
        case "^" where numbers.count == 1, "@" where numbers.count == 1:
            self.init(Self.numbered(numbers[0] ?? 0), Modifier.control)
        case _ where !parameters.isEmpty && (numbers.count > 2 || numbers[0] != 1): return nil
        case "a"..."d" where parameters.isEmpty:
            self.init(Self.lettered[Unicode.Scalar(UInt8(final.value - 0x20))], Modifier.shift)
        default: self.init(Self.lettered[final], modifiers)
        }
    }

    private static let lettered: [Unicode.Scalar: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
        "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]

    private static func numbered(_ number: Int) -> Key? {
        let keys: [Key] = [.home, .insert, .delete, .end, .pageUp, .pageDown, .home, .end]
        if (1...8).contains(number) { return keys[number - 1] }
        let functions = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]
        return functions.firstIndex(of: number).map { .function($0 + 1) }
    }

    /// A key with one modifier that moves or types is the same key, but Control or Alt and an arrow to the side move by a
    /// word, as Alt+b and Alt+f do.
    private init?(_ key: Key?, _ modifiers: Int) {
        let unchanged: Set<Key> = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .backspace, .backTab,
        ]
        switch (key, modifiers) {
        case (let key?, 0): self = key
        case (.tab, Modifier.shift): self = .backTab
        case (.left, Modifier.control), (.left, Modifier.alt): self = .alt("b")
        case (.right, Modifier.control), (.right, Modifier.alt): self = .alt("f")
        // As terminfo counts them for xterm.
        case (.function(let number), Modifier.shift): self = .function(number + 12)
        case (.function(let number), Modifier.control): self = .function(number + 24)
        case (let key?, Modifier.shift), (let key?, Modifier.alt), (let key?, Modifier.control):
            guard unchanged.contains(key) else { return nil }
            self = key
        default: return nil
        }
    }

    /// The key of a code point with modifiers, as in xterm's option modifyOtherKeys. Others are keys that only kitty has.
    private init?(code: Int?, _ modifiers: Int) {
        guard let code, let scalar = UInt32(exactly: code).flatMap({ Unicode.Scalar($0) }),
            !(57344...63743).contains(code)
        else { return nil }
        guard case .character(var character) = Key(typed: scalar) else {
            self.init(Key(typed: scalar), modifiers)
            return
        }
        if modifiers & Modifier.shift != 0 { character = character.uppercased().first ?? character }
        switch modifiers & ~Modifier.shift {
        case 0: self = .character(character)
        case Modifier.alt: self = .alt(character)
        case Modifier.control where character.isASCII && character.isLetter:
            self = .control(Character(character.lowercased()))
        default: return nil
        }
    }
}

private enum Modifier {
    static let (shift, alt, control) = (1, 2, 4)
}
