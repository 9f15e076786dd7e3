import JSON

/// The line format of a status bar.
enum BarFormat: String, CaseIterable, Sendable {
    /// A custom module of waybar(5) with `return-type: json`.
    case waybar
    /// A block of i3blocks(1) with `format=json`; with `interval=persist` for `watch`.
    case i3blocks

    func line(_ picture: BarPicture) throws -> String {
        switch self {
        case .waybar: try JSONEncoding.text(of: WaybarLine(picture))
        case .i3blocks: try JSONEncoding.text(of: I3BlocksLine(picture))
        }
    }
}

/// The text is Pango markup. Style sheets use the class, and `format-icons` uses `alt`.
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

/// Members of the i3bar protocol, which has no classes: the color shows the state, as in i3status.
///
/// i3blocks 1.4 ends a string at an escaped quotation mark and keeps backslashes, so both are written as markup.
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
