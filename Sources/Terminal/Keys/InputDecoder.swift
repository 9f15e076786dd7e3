/// Input from the terminal.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text; see `PastedText.line`.
    case pasted(String)
}

/// A result of `wget_wch`: a character, or the number that ncurses has for a key.
package struct InputCode: Hashable, Sendable {
    package let code: UInt32
    package let isNumber: Bool

    package init(code: UInt32, isNumber: Bool) {
        self.code = code
        self.isNumber = isNumber
    }

    fileprivate var scalar: Unicode.Scalar? {
        isNumber ? nil : Unicode.Scalar(code)
    }
}

/// Turns codes into keys, mouse events and pasted text.
///
/// On a slow line a mark may come in several packets. Its first characters then count as keys, and its rest still begins a
/// mouse report or a paste.
package struct InputDecoder: Sendable {
    /// A mouse report that is not complete.
    private var report: MouseReport?
    /// The text of a paste; nil outside a paste.
    private var paste: PastedText?
    /// The last characters that may be the beginning of a mark.
    private var begun = "".unicodeScalars
    /// The same characters as keys, as far as they were not returned.
    private var held: [Input] = []

    package init() {}

    package mutating func take(_ code: InputCode) -> [Input] {
        if paste != nil { return takePasted(code) }
        if let inputs = takeReport(code) { return inputs }
        let key = Key(code: code.code, isNumber: code.isNumber).map { [Input.key($0)] } ?? []
        var released: [Input] = []
        begun += code.scalar.map { [$0] } ?? []
        if code.isNumber || !InputMark.begins(with: begun) {
            released = pause()
            begun = code.scalar == "\u{1B}" ? "\u{1B}".unicodeScalars : "".unicodeScalars
            if begun.isEmpty { return released + key }
        }
        held += key
        if let mark = InputMark(rawValue: String(begun)) {
            (begun, held) = ("".unicodeScalars, [])
            begin(mark)
        }
        return released
    }

    /// Returns the held keys: no more input has come for now.
    package mutating func pause() -> [Input] {
        defer { held = [] }
        return held
    }

    private mutating func begin(_ mark: InputMark) {
        switch mark {
        case .mouseReport: report = MouseReport()
        case .pasteBegin: paste = PastedText()
        case .pasteEnd: break
        }
    }

    /// Returns the pasted text at its end. Keys within a paste are ignored.
    private mutating func takePasted(_ code: InputCode) -> [Input] {
        guard let scalar = code.scalar else {
            paste?.passOver()
            return []
        }
        guard paste?.take(scalar) == true, let line = paste?.line else { return [] }
        paste = nil
        return [.pasted(line)]
    }

    /// Nil if the code is not part of a report.
    private mutating func takeReport(_ code: InputCode) -> [Input]? {
        guard var report, let scalar = code.scalar else {
            report = nil
            return nil
        }
        let step = report.take(scalar)
        self.report = step == .more ? report : nil
        switch step {
        case .more: return []
        case .whole(let event): return event.map { [.mouse($0)] } ?? []
        case .broken: return nil
        }
    }
}
