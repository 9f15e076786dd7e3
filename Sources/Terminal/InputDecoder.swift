import TextLayout

/// Input from the terminal.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text; see `PastedText.line`.
    case pasted(String)
}

/// A result of `get_wch`: a character, or the number that ncurses has for a key.
package struct InputCode: Hashable, Sendable {
    package let code: UInt32
    package let isNumber: Bool

    package init(code: UInt32, isNumber: Bool) {
        self.code = code
        self.isNumber = isNumber
    }

    fileprivate var scalar: Unicode.Scalar? { isNumber ? nil : Unicode.Scalar(code) }
}

/// Turns codes into keys, mouse events and pasted text.
///
/// On a slow line, an `InputSequence` may come in several packets. Its first characters then count as keys, and its rest
/// still begins a mouse report or a paste.
package struct InputDecoder: Sendable {
    /// A mouse report that is not complete.
    private var report: MouseReport?
    /// The text of a paste; nil outside a paste.
    private var paste: PastedText?
    /// The last characters that may be the beginning of an `InputSequence`.
    private var sequenceStart = "".unicodeScalars
    /// The same characters as keys, as far as they were not returned.
    private var heldKeys: [Input] = []

    package init() {}

    package mutating func decode(_ code: InputCode) -> [Input] {
        if paste != nil { return decodePasted(code) }
        if let inputs = decodeReport(code) { return inputs }
        let key = Key(code: code.code, isNumber: code.isNumber).map { [Input.key($0)] } ?? []
        var released: [Input] = []
        sequenceStart += code.scalar.map { [$0] } ?? []
        if code.isNumber || !InputSequence.begins(with: sequenceStart) {
            released = flush()
            sequenceStart = code.scalar == "\u{1B}" ? "\u{1B}".unicodeScalars : "".unicodeScalars
            if sequenceStart.isEmpty { return released + key }
        }
        heldKeys += key
        if let sequence = InputSequence(rawValue: String(sequenceStart)) {
            (sequenceStart, heldKeys) = ("".unicodeScalars, [])
            begin(sequence)
        }
        return released
    }

    /// Returns the held keys: no more input has come for now.
    package mutating func flush() -> [Input] {
        defer { heldKeys = [] }
        return heldKeys
    }

    private mutating func begin(_ sequence: InputSequence) {
        switch sequence {
        case .mouseReport: report = MouseReport()
        case .pasteBegin: paste = PastedText()
        case .pasteEnd: break
        }
    }

    /// Returns the pasted text at its end. Keys within a paste are ignored.
    private mutating func decodePasted(_ code: InputCode) -> [Input] {
        guard let scalar = code.scalar, paste?.append(scalar) == true, let line = paste?.line else { return [] }
        paste = nil
        return [.pasted(line)]
    }

    /// Nil if the code is not part of a report.
    private mutating func decodeReport(_ code: InputCode) -> [Input]? {
        guard var report, let scalar = code.scalar else {
            report = nil
            return nil
        }
        let step = report.append(scalar)
        self.report = step == .more ? report : nil
        switch step {
        case .more: return []
        case .whole(let event): return event.map { [.mouse($0)] } ?? []
        case .broken: return nil
        }
    }
}

/// The sequences that begin mouse reports, and begin and end pastes.
enum InputSequence: String, CaseIterable {
    case mouseReport = "\u{1B}[<"
    case pasteBegin = "\u{1B}[200~"
    case pasteEnd = "\u{1B}[201~"

    static func begins(with text: String.UnicodeScalarView) -> Bool {
        allCases.contains { $0.rawValue.unicodeScalars.starts(with: text) }
    }
}

/// The text of a paste so far.
package struct PastedText: Sendable {
    /// The maximum number of characters that are kept.
    package static let maxCharacters = 4096

    private var scalars: [Unicode.Scalar] = []

    private static let end = Array(InputSequence.pasteEnd.rawValue.unicodeScalars)

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

/// The milliseconds after which an escape is the Escape key and not the start of a sequence, from ncurses' variable
/// ESCDELAY.
package func escapeDelay(_ variable: String?) -> Int32 {
    guard let delay = variable.flatMap({ Int32($0) }), delay >= 0 else { return 50 }
    return delay
}
