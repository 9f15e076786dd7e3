/// Text with a style for some of its parts.
///
/// What is styled is known by its place in here and by nothing in the text, so that no text from outside can style
/// anything. A literal of this type takes both kinds of text: `"\(styled(name, .bold)): \(report)"`.
struct StyledText: ExpressibleByStringInterpolation {
    enum Style {
        case bold, dim, red, green, yellow

        /// Begins the style on a terminal.
        fileprivate var sequence: String {
            switch self {
            case .bold: "\u{1B}[1m"
            case .dim: "\u{1B}[2m"
            case .red: "\u{1B}[31m"
            case .green: "\u{1B}[32m"
            case .yellow: "\u{1B}[33m"
            }
        }
    }

    /// What has one style.
    typealias Piece = (text: String, style: Style?)

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            pieces.append((literal, nil))
        }

        mutating func appendInterpolation(_ text: StyledText) {
            pieces += text.pieces
        }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            pieces.append((value.description, nil))
        }
    }

    private(set) var pieces: [Piece]

    init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    init(_ text: String, _ style: Style? = nil) {
        pieces = [(text, style)]
    }

    init(stringLiteral value: String) {
        self.init(value)
    }

    init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    mutating func append(_ text: String, _ style: Style?) {
        if !text.isEmpty { pieces.append((text, style)) }
    }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        "\(left)\(right)"
    }

    /// The text as a terminal gets it: our control sequences, where there is to be colour, around harmless text.
    func rendered(hasColor: Bool) -> String {
        pieces.map { text, style in
            guard hasColor, let style else { return harmless(text) }
            return "\(style.sequence)\(harmless(text))\u{1B}[0m"
        }.joined()
    }
}

extension [StyledText] {
    func joined(separator: String) -> StyledText {
        guard let first else { return "" }
        return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
    }
}

extension DefaultStringInterpolation {
    /// A style cannot be in a String: whoever put it there would print the value's parts. Deprecated, which is an error here;
    /// what is unavailable would be passed over for the interpolation that takes anything.
    @available(*, deprecated, message: "make it a StyledText")
    mutating func appendInterpolation(_ text: StyledText) {
        for piece in text.pieces { appendLiteral(piece.text) }
    }
}

/// The text without control characters, bidirectional overrides and isolates; line feeds stay.
func harmless(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x0A: true
                case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
                default: true
                }
            }))
}
