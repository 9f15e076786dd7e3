import TextLayout

/// Input from the terminal.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text; see `PastedText.line`.
    case pasted(String)
}

/// A reply of the terminal to a question, or its report of a change.
package enum TerminalReply: Hashable, Sendable {
    /// The RGB value of the background.
    case background(Int)
    /// The background may be another one now.
    case backgroundChanged
    /// The device attributes, which every terminal has: earlier questions without a reply get none.
    case end
}

/// Turns characters of the terminal into keys, mouse events and pasted text.
///
/// An escape and the characters after it are one sequence, as in ECMA-48: a known one is a key, any other does nothing.
/// So no part of an unknown key or of a late reply of the terminal is taken for a key. Only an escape with nothing after
/// it is the Escape key: call `pause` when no character has come for the time of `escapeDelay`.
///
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
package struct InputDecoder: Sendable {
    private enum State {
        case text
        /// After an escape. `isAlt` is true after two.
        case escape(isAlt: Bool)
        /// The Escape key was returned. On a slow line, the rest of a sequence may still come.
        case afterEscape
        /// `ESC [` and parameters. `isLate` is true if the Escape key was returned before.
        case controlSequence(String, isAlt: Bool, isLate: Bool)
        /// `ESC O`, from a keypad. Some terminals add parameters.
        case singleShift(String, isAlt: Bool)
        /// `ESC ]`, `ESC P` and others, up to a string terminator.
        case string(introducer: Character, String, StringPart)
        /// This number of characters still belongs to the sequence.
        case skipping(Int)
        case paste(PastedText)
    }

    /// How much of a string has come. A key such as Alt+P looks like its beginning, and must not swallow all later keys.
    private enum StringPart {
        case nothing, some
        /// Nothing has come for a moment. The next pause ends it.
        case paused
    }

    private var state = State.text
    /// The replies so far. The caller removes them.
    package var replies: [TerminalReply] = []

    package init() {}

    /// True if `pause` would return a key or change what the next character means.
    package var isWaiting: Bool {
        switch state {
        case .text, .afterEscape, .paste: false
        case .controlSequence(let parameters, _, let isLate): parameters.isEmpty && isLate
        default: true
        }
    }

    package mutating func decode(_ scalar: Unicode.Scalar) -> Input? {
        switch state {
        case .paste(var text):
            let isWhole = text.append(scalar)
            state = isWhole ? .text : .paste(text)
            return isWhole ? .pasted(text.line) : nil
        case .skipping(let count):
            state = count > 1 ? .skipping(count - 1) : .text
            return nil
        case .string(let introducer, let text, let part):
            // A string ends with BEL, CAN or `ESC \`, whose backslash is then a sequence of its own.
            if ["\u{7}", "\u{18}", "\u{1B}", "\u{9C}"].contains(scalar) {
                state = scalar == "\u{1B}" ? .escape(isAlt: false) : .text
                if introducer == "]", let color = Background.color(reply: text) { replies.append(.background(color)) }
                return nil
            }
            // Longer ones are not known.
            let kept = text.utf8.count < 32 ? text + String(scalar) : text
            state = .string(introducer: introducer, kept, part == .nothing ? .some : part)
            return nil
        case _ where scalar == "\u{1B}":
            if case .escape = state { state = .escape(isAlt: true) } else { state = .escape(isAlt: false) }
            return nil
        case .escape(let isAlt):
            return begin(scalar, isAlt: isAlt)
        case .controlSequence(let parameters, let isAlt, let isLate):
            return addToControlSequence(scalar, parameters, isAlt: isAlt, isLate: isLate)
        case .singleShift(let parameters, let isAlt):
            if scalar == ";" || ("0"..."9").contains(scalar), parameters.utf8.count < 32 {
                state = .singleShift(parameters + String(scalar), isAlt: isAlt)
                return nil
            }
            state = .text
            return isAlt ? nil : Key(keypad: scalar, parameters).map { .key($0) }
        case .afterEscape where scalar == "[":
            state = .controlSequence("", isAlt: false, isLate: true)
            return nil
        case .text, .afterEscape:
            state = .text
            // An 8-bit control is an escape and a letter.
            if (0x80..<0xA0).contains(scalar.value) {
                return begin(Unicode.Scalar(UInt8(scalar.value - 0x40)), isAlt: false)
            }
            return Key(typed: scalar).map { .key($0) }
        }
    }

    /// Ends the wait for the rest of a sequence, and returns the key that has no rest.
    package mutating func pause() -> Input? {
        switch state {
        case .escape:
            state = .afterEscape
            return .key(.escape)
        case .controlSequence("", _, isLate: true):
            state = .text
            return .key(.character("["))
        case .singleShift(let parameters, _):
            state = .text
            return parameters.isEmpty ? .key(.alt("O")) : nil
        case .string(let introducer, let text, let part):
            state = part == .some ? .string(introducer: introducer, text, .paused) : .text
            return part == .nothing ? .key(.alt(introducer)) : nil
        case .skipping:
            state = .text
            return nil
        // The rest of a sequence with parameters is no key, however late it comes.
        case .text, .afterEscape, .paste, .controlSequence:
            return nil
        }
    }

    /// Handles the character after an escape.
    private mutating func begin(_ scalar: Unicode.Scalar, isAlt: Bool) -> Input? {
        switch scalar {
        case "[": state = .controlSequence("", isAlt: isAlt, isLate: false)
        case "O": state = .singleShift("", isAlt: isAlt)
        case "]", "P", "X", "^", "_": state = .string(introducer: Character(scalar), "", .nothing)
        case "\\":
            // The end of a string.
            state = .text
        case "\t":
            // The Linux console sends this for Shift and Tab.
            state = .text
            return isAlt ? nil : .key(.backTab)
        default:
            state = .text
            if case .character(let character) = Key(typed: scalar), !isAlt { return .key(.alt(character)) }
        }
        return nil
    }

    private mutating func addToControlSequence(
        _ scalar: Unicode.Scalar, _ parameters: String, isAlt: Bool, isLate: Bool
    ) -> Input? {
        state = .text
        switch scalar {
        // rxvt ends the keys with Shift in a dollar sign.
        case "$" where !parameters.isEmpty && parameters.allSatisfy(\.isWholeNumber): return nil
        case "\u{20}"..."\u{3F}":
            // Longer ones are not known.
            let kept = parameters.utf8.count < 32 ? parameters + String(scalar) : parameters
            state = .controlSequence(kept, isAlt: isAlt, isLate: isLate)
        // The Linux console has it in function keys.
        case "[" where parameters.isEmpty: state = .controlSequence("[", isAlt: isAlt, isLate: isLate)
        // A mouse report in the first form of xterm.
        case "M" where parameters.isEmpty: state = .skipping(3)
        case "~" where parameters == "200": state = .paste(PastedText())
        case "M" where parameters.hasPrefix("<"), "m" where parameters.hasPrefix("<"):
            return MouseEvent(report: parameters.dropFirst(), isPress: scalar == "M").map { .mouse($0) }
        case "c" where parameters.hasPrefix("?"): replies.append(.end)
        case "n" where parameters.hasPrefix("?997;"): replies.append(.backgroundChanged)
        case "\u{40}"..."\u{7E}":
            return isAlt ? nil : Key(controlSequence: parameters, final: scalar).map { .key($0) }
        default:
            // It is broken off.
            return Key(typed: scalar).map { .key($0) }
        }
        return nil
    }
}

/// The text of a paste so far.
package struct PastedText: Sendable {
    /// The maximum number of characters that are kept.
    package static let maxCharacters = 4096

    private var scalars: [Unicode.Scalar] = []

    private static let end = Array("\u{1B}[201~".unicodeScalars)

    package init() {}

    /// Adds a character. True if it completes the end sequence, which is not part of the text.
    package mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        scalars.append(scalar)
        if scalars.suffix(Self.end.count) == Self.end[...] {
            scalars.removeLast(Self.end.count)
            return true
        }
        // The last characters may begin the end sequence.
        if scalars.count > Self.maxCharacters + Self.end.count { scalars.remove(at: Self.maxCharacters) }
        return false
    }

    /// The text as one sanitized line, with a space between its lines.
    package var line: String {
        let text = String(String.UnicodeScalarView(scalars.prefix(Self.maxCharacters)))
        return sanitized(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}

/// The time after which an escape is the Escape key and not the start of a sequence, from ncurses' variable ESCDELAY in
/// milliseconds.
package func escapeDelay(_ variable: String?) -> Duration {
    guard let delay = variable.flatMap({ Int32($0) }), delay >= 0 else { return .milliseconds(50) }
    return .milliseconds(delay)
}
