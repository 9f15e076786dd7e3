/// What somebody did at the terminal.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Text that was pasted, as `PastedText.line` has it.
    case pasted(String)
}

/// What `wget_wch` answers: a character, or one of ncurses' numbers for keys and of ours for `InputMark`s.
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

    fileprivate var mark: InputMark? {
        isNumber ? InputMark(rawValue: Int32(bitPattern: code)) : nil
    }
}

/// Puts together what comes from a terminal: keys, reports of the mouse, pasted text.
///
/// ncurses knows a mark that comes in one piece. Where there is a pause in it, as between two packets of a slow line, it
/// takes the escape for the key and the rest for characters: those are put together here.
package struct InputDecoder: Sendable {
    /// What has come of a report of the mouse that is not whole.
    private var report: MouseReport?
    /// What is being pasted; nil where nothing is.
    private var paste: PastedText?
    /// What came behind an escape and may become a mark; nil where none can.
    private var cutMark: String.UnicodeScalarView?
    /// The keys that it is if it does not, as far as nobody was told of them.
    private var held: [Input] = []

    package init() {}

    /// Takes what comes next.
    package mutating func take(_ code: InputCode) -> [Input] {
        if paste != nil { return takePasted(code).map { [.pasted($0)] } ?? [] }
        if let mark = code.mark {
            cutMark = nil
            defer { begin(mark) }
            return release()
        }
        if let inputs = takeReport(code) { return inputs }
        if completesMark(code) { return [] }
        let key = Key(code: code.code, isNumber: code.isNumber).map { [Input.key($0)] } ?? []
        if cutMark?.isEmpty == false {
            held += key
            return []
        }
        return release() + key
    }

    /// Nothing more has come for now: what may still become a mark counts as keys.
    package mutating func pause() -> [Input] {
        release()
    }

    private mutating func release() -> [Input] {
        defer { held = [] }
        return held
    }

    private mutating func begin(_ mark: InputMark) {
        (report, paste) = (nil, nil)
        switch mark {
        case .mouseReport: report = MouseReport()
        case .pasteBegin: paste = PastedText()
        case .pasteEnd: break
        }
    }

    /// The pasted text where it ends. Keys that a part of it stands for are none.
    private mutating func takePasted(_ code: InputCode) -> String? {
        if code.mark == .pasteBegin {
            paste = PastedText()
            return nil
        }
        var isWhole = code.mark == .pasteEnd
        if let scalar = code.scalar { isWhole = paste?.take(scalar) == true } else { paste?.passOver() }
        guard isWhole else { return nil }
        defer { paste = nil }
        return paste?.line
    }

    /// Nil where the character is no part of a report.
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

    /// Whether a mark is whole with the character, which begins then. Keeps what may become one.
    private mutating func completesMark(_ code: InputCode) -> Bool {
        guard let scalar = code.scalar, scalar != "\u{1B}", var text = cutMark else {
            cutMark = code.scalar == "\u{1B}" ? "".unicodeScalars : nil
            return false
        }
        text.append(scalar)
        let candidates = InputMark.allCases.filter { $0.sequence.unicodeScalars.dropFirst().starts(with: text) }
        cutMark = candidates.isEmpty ? nil : text
        guard let mark = candidates.first, mark.sequence.unicodeScalars.count == text.count + 1 else { return false }
        cutMark = nil
        held = []
        begin(mark)
        return true
    }
}
