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
        case escape
        /// The Escape key was returned. On a slow line, the rest of a sequence may still come.
        case afterEscape
        /// After an escape and an introducer, with the text so far:
        ///
        /// - `[` and parameters. It is paused if the Escape key was returned before.
        /// - `O` of a keypad. Some terminals add parameters.
        /// - One of `stringIntroducers`, and the text up to a string terminator. It is paused if nothing has come for a moment.
        ///
        /// The next pause ends what is paused: a key such as Alt+P looks like its beginning, and must not swallow all later
        /// keys.
        case sequence(Character, String, isPaused: Bool)
        case paste(PastedText)
    }

    private static let stringIntroducers: Set<Character> = ["]", "P", "X", "^", "_"]

    private var state = State.text
    /// The replies so far. The caller removes them.
    package var replies: [TerminalReply] = []

    package init() {}

    /// True if `pause` would return a key or change what the next character means.
    package var isWaiting: Bool {
        switch state {
        case .text, .afterEscape, .paste: false
        case .sequence("[", let text, let isPaused): text.isEmpty && isPaused
        case .escape, .sequence: true
        }
    }

    package mutating func decode(_ scalar: Unicode.Scalar) -> Input? {
        switch state {
        case .paste(var text):
            let isWhole = text.append(scalar)
            state = isWhole ? .text : .paste(text)
            return isWhole ? .pasted(text.line) : nil
        case .sequence(let introducer, let text, let isPaused):
            if continues(introducer, text, scalar) {
                // Longer ones are not known.
                let kept = text.utf8.count < 32 ? text + String(scalar) : text
                state = .sequence(introducer, kept, isPaused: isPaused)
                return nil
            }
            // A backslash after the escape is then a sequence of its own.
            state = scalar == "\u{1B}" ? .escape : .text
            return end(introducer, text, scalar)
        case _ where scalar == "\u{1B}":
            state = .escape
            return nil
        case .escape:
            return begin(scalar)
        case .afterEscape where scalar == "[":
            state = .sequence("[", "", isPaused: true)
            return nil
        case .text, .afterEscape:
            state = .text
            return Key(typed: scalar).map { .key($0) }
        }
    }

    /// Ends the wait for the rest of a sequence, and returns the key that has no rest.
    package mutating func pause() -> Input? {
        switch state {
        case .escape:
            state = .afterEscape
            return .key(.escape)
        case .sequence("[", "", isPaused: true):
            state = .text
            return .key(.character("["))
        // The rest of a sequence with parameters is no key, however late it comes.
        case .text, .afterEscape, .paste, .sequence("[", _, _):
            return nil
        case .sequence(let introducer, let text, let isPaused):
            state = isPaused || text.isEmpty ? .text : .sequence(introducer, text, isPaused: true)
            return text.isEmpty ? .key(.alt(introducer)) : nil
        }
    }

    /// Handles the character after an escape.
    private mutating func begin(_ scalar: Unicode.Scalar) -> Input? {
        let character = Character(scalar)
        state = .text
        if character == "[" || character == "O" || Self.stringIntroducers.contains(character) {
            state = .sequence(character, "", isPaused: false)
            return nil
        }
        // The end of a string.
        if character == "\\" { return nil }
        // The Linux console sends this for Shift and Tab.
        if character == "\t" { return .key(.backTab) }
        return if case .character = Key(typed: scalar) { .key(.alt(character)) } else { nil }
    }

    private func continues(_ introducer: Character, _ text: String, _ scalar: Unicode.Scalar) -> Bool {
        switch introducer {
        case "O": return scalar == ";" || ("0"..."9").contains(scalar)
        case "[":
            // The first form of xterm's mouse reports has three characters after `M`.
            if text.hasPrefix("M") { return text.unicodeScalars.count < 3 }
            // The Linux console has a second bracket in function keys.
            if text.isEmpty, scalar == "M" || scalar == "[" { return true }
            // rxvt ends the keys with Shift in a dollar sign.
            let isShifted = scalar == "$" && !text.isEmpty && text.allSatisfy(\.isWholeNumber)
            return ("\u{20}"..."\u{3F}").contains(scalar) && !isShifted
        default: return !["\u{7}", "\u{18}", "\u{1B}"].contains(scalar)
        }
    }

    private mutating func end(_ introducer: Character, _ text: String, _ scalar: Unicode.Scalar) -> Input? {
        if Self.stringIntroducers.contains(introducer) {
            if introducer == "]", let color = Background.color(reply: text) { replies.append(.background(color)) }
            return nil
        }
        if introducer == "O" { return Key(keypad: scalar, text).map { .key($0) } }
        switch scalar {
        case _ where text.hasPrefix("M"): break
        case "~" where text == "200": state = .paste(PastedText())
        case "M" where text.hasPrefix("<"), "m" where text.hasPrefix("<"):
            return MouseEvent(report: text.dropFirst(), isPress: scalar == "M").map { .mouse($0) }
        case "c" where text.hasPrefix("?"): replies.append(.end)
        case "n" where text.hasPrefix("?997;"): replies.append(.backgroundChanged)
        case "\u{40}"..."\u{7E}": return Key(controlSequence: text, final: scalar).map { .key($0) }
        case "$", "\u{1B}": break
        // It is broken off.
        default: return Key(typed: scalar).map { .key($0) }
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
