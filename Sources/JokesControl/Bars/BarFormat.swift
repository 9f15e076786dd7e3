/// The line format of a status bar.
enum BarFormat: String, CaseIterable, Sendable {
    /// A custom module of waybar(5) with `return-type: json`.
    case waybar
    /// A block of i3blocks(1) with `format=json`; with `interval=persist` for `watch`.
    case i3blocks

    /// One line of JSON, without a line feed. Waybar and i3blocks read the text as Pango markup.
    func line(_ picture: BarPicture) -> String {
        let members: [(String, String?)]
        switch self {
        case .waybar:
            // Style sheets use the class, and `format-icons` uses `alt`.
            let state = picture.state.rawValue
            members = [
                ("text", pangoText(picture.line)), ("tooltip", pangoText(picture.details)), ("alt", state),
                ("class", state),
            ]
        case .i3blocks:
            members = [
                ("full_text", plainMarkup(picture.line)), ("short_text", plainMarkup(picture.shortLine)),
                ("color", color(of: picture.state)), ("markup", "pango"),
            ]
        }
        let texts = members.compactMap { name, value in
            value.map { "\"\(name)\":\(Template.Escape.json.applied(to: $0))" }
        }
        return "{\(texts.joined(separator: ","))}"
    }

    /// i3blocks 1.4 ends a string at an escaped quotation mark and keeps backslashes, so both are written as markup.
    private func plainMarkup(_ text: String) -> String {
        pangoText(text, escaping: ["\\": "&#92;"])
    }

    /// The colors of i3status; nil for the color of the block.
    private func color(of state: BarPicture.State) -> String? {
        switch state {
        case .ok, .empty: nil
        case .failing, .offline: "#FFFF00"
        case .away: "#FF0000"
        }
    }
}
