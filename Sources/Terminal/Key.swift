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
        guard parameters.isEmpty else {
            self.init(controlSequence: parameters.contains(";") ? parameters : "1;\(parameters)", final: scalar)
            return
        }
        switch scalar {
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
    /// It knows the keys of xterm, VT220, rxvt, the Linux console and kitty. With Shift or Control, a key that moves is the
    /// same key, but Control and an arrow to the side move by a word, as Alt+b and Alt+f do.
    init?(controlSequence parameters: String, final: Unicode.Scalar) {
        if parameters == "[", ("A"..."E").contains(final) {
            self = .function(Int(final.value) - 0x40)
            return
        }
        let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let numbers = fields.map { Int($0.prefix { $0 != ":" }) }
        let modifiers = Modifiers(fields.count > 1 ? fields[1] : "1")
        guard let modifiers, numbers.count <= 3, !numbers.dropFirst().contains(nil) else { return nil }
        switch final {
        case "u": self.init(code: numbers[0], modifiers)
        case "~" where numbers[0] == 27: self.init(code: numbers.count == 3 ? numbers[2] : nil, modifiers)
        case "~" where numbers.count <= 2: self.init(Self.numbered(numbers[0] ?? 0), modifiers)
        // rxvt, with Control and with both.
        case "^" where numbers.count == 1, "@" where numbers.count == 1:
            self.init(Self.numbered(numbers[0] ?? 0), .control)
        case _ where !parameters.isEmpty && (numbers.count > 2 || numbers[0] != 1): return nil
        case "a"..."d" where parameters.isEmpty:
            self.init(Self.lettered(Unicode.Scalar(UInt8(final.value - 0x20))), .shift)
        default: self.init(Self.lettered(final), modifiers)
        }
    }

    private static func lettered(_ final: Unicode.Scalar) -> Key? {
        switch final {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        case "P": .function(1)
        case "Q": .function(2)
        case "R": .function(3)
        case "S": .function(4)
        case "Z": .backTab
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// The modifiers of a key, without those of locks.
    private struct Modifiers: OptionSet {
        let rawValue: Int
        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)

        init(rawValue: Int) { self.rawValue = rawValue }

        /// Reads a field such as `5` or `5:1`. Nil for the release of a key, and for a field of another kind.
        init?(_ field: Substring) {
            let parts = field.split(separator: ":").compactMap { Int($0) }
            guard let sum = parts.first, (1...256).contains(sum), parts.count < 2 || parts[1] < 3 else { return nil }
            // 64 is Caps Lock, 128 is Num Lock.
            rawValue = (sum - 1) & 63
        }
    }

    private init?(_ key: Key?, _ modifiers: Modifiers) {
        guard let key else { return nil }
        switch (key, modifiers) {
        case (_, []), (.backTab, .shift): self = key
        case (.left, .control), (.left, .alt): self = .alt("b")
        case (.right, .control), (.right, .alt): self = .alt("f")
        // As terminfo counts them for xterm.
        case (.function(let number), .shift): self = .function(number + 12)
        case (.function(let number), .control): self = .function(number + 24)
        case (_, .shift) where key.moves, (_, .control) where key.moves: self = key
        default: return nil
        }
    }

    private var moves: Bool { Self.moving.contains(self) }

    private static let moving: Set<Key> = [.up, .down, .left, .right, .pageUp, .pageDown, .home, .end]

    /// The key of a code point with modifiers, in the forms of kitty and of xterm's option modifyOtherKeys.
    private init?(code: Int?, _ modifiers: Modifiers) {
        guard let code, let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
        let keypad: [Key] = [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]
        switch code {
        // The keypad of kitty.
        case 57399...57408: self.init(.character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30)))), modifiers)
        case 57414: self.init(.enter, modifiers)
        case 57417...57426: self.init(keypad[code - 57417], modifiers)
        case 57344...63743: return nil
        default:
            switch (Key(typed: scalar), modifiers) {
            case (.character(let character), .shift):
                self = .character(character.uppercased().first ?? character)
            case (.character(let letter), .control) where letter.isASCII && letter.isLetter:
                self = .control(Character(letter.lowercased()))
            case (.character(let character), .alt): self = .alt(character)
            case (.character(let character), [.alt, .shift]): self = .alt(character.uppercased().first ?? character)
            case (.tab, .shift): self = .backTab
            case (.enter, .shift): self = .enter
            case (.backspace, .shift): self = .backspace
            case (let key, []): self.init(key, [])
            default: return nil
            }
        }
    }
}
