import Unix

/// Reads a template from its first sign to its last.
///
/// By code points: a brace is one, whatever accents follow it.
struct TemplateReading {
    private let text: String.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        self.text = text.unicodeScalars
        rest = self.text[...]
    }

    mutating func pieces() throws(TemplateError) -> [Template.Piece] {
        var pieces: [Template.Piece] = []
        var words = String.UnicodeScalarView()
        func endWords() {
            if !words.isEmpty { pieces.append(.words(String(words))) }
            words = String.UnicodeScalarView()
        }
        while let sign = rest.first {
            let place = rest.startIndex
            rest.removeFirst()
            switch sign {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                words.append(sign)
                rest.removeFirst()
            case "{":
                switch try inBraces(openedAt: place) {
                case .words(let mark): words += mark.unicodeScalars
                case let field:
                    endWords()
                    pieces.append(field)
                }
            case "}": throw error(.closesNothing, place)
            default:
                if sign != "\t" && harmless(String(sign)).isEmpty { throw error(.controlCharacter, place) }
                words.append(sign)
            }
        }
        endWords()
        return pieces
    }

    /// What stands between a brace that was read and the one that closes it.
    private mutating func inBraces(openedAt place: String.Index) throws(TemplateError) -> Template.Piece {
        let content = rest.prefix { $0 != "{" && $0 != "}" }
        guard content.endIndex < rest.endIndex, rest[content.endIndex] == "}" else { throw error(.notClosed, place) }
        rest = rest[rest.index(after: content.endIndex)...]
        let parts = content.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts[0])
        let escapes = parts.dropFirst()
        if let mark = Self.marks[name] {
            if !escapes.isEmpty { throw error(.takesNoEscape(name), place) }
            return .words(mark)
        }
        guard let field = Template.Field(rawValue: name) else { throw error(.unknownField(name), place) }
        var known: [Template.Escape] = []
        for part in escapes {
            guard let escape = Template.Escape(rawValue: String(part)) else {
                throw error(.unknownEscape(String(part)), place)
            }
            known.append(escape)
        }
        return .field(field, known)
    }

    private static let marks = ["n": "\n", "t": "\t"]

    private func error(_ code: TemplateError.Code, _ place: String.Index) -> TemplateError {
        TemplateError(code, at: String(text[..<place]).count + 1)
    }
}
