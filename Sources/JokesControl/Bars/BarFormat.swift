import JSON

/// A status bar that takes jokes, and the line that it takes them in.
enum BarFormat: String, CaseIterable, Sendable {
    /// A custom module of waybar(5) with `return-type: json`.
    case waybar
    /// A block of i3blocks(1) with `format=json`, and `interval=persist` where it watches.
    case i3blocks

    /// One line of JSON without its end. O(the joke).
    func line(_ picture: BarPicture) throws -> String {
        switch self {
        case .waybar: try JSONEncoding.text(of: WaybarLine(picture))
        case .i3blocks: try JSONEncoding.text(of: I3BlocksLine(picture))
        }
    }
}

/// What is shown is read as Pango's markup. A style sheet finds the state as a class, `format-icons` as `alt`.
private struct WaybarLine: Encodable {
    let text: String
    let tooltip: String
    let alt: String
    let `class`: String

    init(_ picture: BarPicture) {
        text = pangoText(picture.line)
        tooltip = pangoText(picture.details)
        alt = picture.state.rawValue
        `class` = picture.state.rawValue
    }
}

/// With members of i3bar's protocol. There are no classes: colours as i3status has them tell the state, and the block's
/// own is left alone where all is well.
///
/// i3blocks 1.4 ends a string at the first quotation mark even where that is escaped, and keeps backslashes: so there is
/// neither in it but as markup.
private struct I3BlocksLine: Encodable {
    private let fullText: String
    private let shortText: String
    private let color: String?
    private let markup = "pango"

    private enum CodingKeys: String, CodingKey {
        case fullText = "full_text"
        case shortText = "short_text"
        case color, markup
    }

    init(_ picture: BarPicture) {
        fullText = plainMarkup(picture.line)
        shortText = plainMarkup(picture.shortLine)
        color =
            switch picture.state {
            case .ok, .empty: nil
            case .failing, .offline: "#FFFF00"
            case .away: "#FF0000"
            }
    }
}

private func plainMarkup(_ text: String) -> String {
    pangoText(text, escaping: ["\\": "&#92;"])
}
