import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout

/// The line format of a status bar.
enum BarFormat: String, CaseIterable, Sendable {
    /// A custom module of waybar(5) with `return-type: json`.
    case waybar
    /// A block of i3blocks(1) with `format=json`; with `interval=persist` for `watch`.
    case i3blocks

    /// One line of JSON, without a line feed. Waybar and i3blocks read the text as Pango markup.
    func line(_ content: BarContent) -> String {
        let members: [(String, String?)]
        switch self {
        case .waybar:
            // Style sheets use the class, and `format-icons` uses `alt`.
            let state = content.state.rawValue
            members = [
                ("text", pangoText(content.line)), ("tooltip", pangoText(content.details)), ("alt", state),
                ("class", state),
            ]
        case .i3blocks:
            members = [
                ("full_text", plainMarkup(content.line)), ("short_text", plainMarkup(content.shortLine)),
                ("color", color(of: content.state)), ("markup", "pango"),
            ]
        }
        let texts = members.compactMap { name, value in
            value.map { "\"\(name)\":\(jsonString($0))" }
        }
        return "{\(texts.joined(separator: ","))}"
    }

    /// i3blocks 1.4 ends a string at an escaped quotation mark and keeps backslashes, so both are written as markup.
    private func plainMarkup(_ text: String) -> String { pangoText(text, escaping: ["\\": "&#92;"]) }

    /// The colors of i3status; nil for the color of the block.
    private func color(of state: BarContent.State) -> String? {
        switch state {
        case .ok, .empty: nil
        case .failing, .offline: "#FFFF00"
        case .away: "#FF0000"
        }
    }
}

/// The content of a status bar: a joke, and the state of the daemon.
struct BarContent: Hashable, Sendable {
    /// Style sheets use its raw value.
    enum State: String, CaseIterable, Sendable {
        case ok
        /// A source fails.
        case failing
        /// No source on the network can be reached.
        case offline
        case empty
        /// The daemon is unreachable.
        case away
    }

    var joke: TemplateJoke?
    var state: State
    /// The explanation of the state.
    var remark: String?

    /// The first joke or search result of a snapshot, or else its newest favorite.
    init(_ snapshot: JokeSnapshot) {
        let items = snapshot.sections.lazy.flatMap { snapshot[$0.id] }
        joke =
            items.compactMap(\.joke).first.map(TemplateJoke.init)
            ?? items.compactMap(\.favorite).first.map(TemplateJoke.init)
        state = joke == nil ? .empty : .ok
        guard let header = snapshot.header else { return }
        if joke == nil { remark = "No joke is cached yet, or all are hidden or excluded by the filter." }
        addSources(isOffline: header.isOffline, failing: header.failing)
    }

    init(_ joke: TemplateJoke) { (self.joke, state) = (joke, .ok) }

    init(_ state: State, _ remark: String) { (self.state, self.remark) = (state, remark) }

    /// Adds the state of the sources. Without a joke, the state stays `empty` if a source fails.
    mutating func addSources(isOffline: Bool, failing: [String]) {
        if isOffline {
            state = .offline
            add("Offline: no source on the network can be reached.")
        } else if !failing.isEmpty {
            if joke != nil { state = .failing }
            add("Failing: \(failing.joined(separator: ", ")). Try: jokesctl sources")
        }
    }

    /// Adds the state of the sources in a status; nothing for nil.
    mutating func addSources(of status: StatusMethod.Reply?) {
        if let status { addSources(isOffline: status.offline, failing: status.failing) }
    }

    private mutating func add(_ line: String) { remark = remark.map { "\($0)\n\(line)" } ?? line }

    /// The same joke with the state `away`.
    func away(_ remark: String) -> BarContent {
        var content = self
        (content.state, content.remark) = (.away, remark)
        return content
    }

    /// The text of the bar: the joke on one line, or that there is none.
    var line: String {
        guard let joke else { return state == .away ? "jokesd is unreachable" : "no jokes to show" }
        return cut(oneLine(joke.content.text.whole), to: Self.maxCharacters)
    }

    /// The text for a narrow bar.
    var shortLine: String {
        guard let joke else { return line }
        return cut(oneLine(joke.content.text.setup), to: Self.maxShortCharacters)
    }

    /// The tooltip: the whole joke, and the remark.
    var details: String {
        [joke?.content.text.whole, remark.map(sanitizedLines)].compactMap(\.self).joined(separator: "\n\n")
    }

    private static let maxCharacters = 150
    private static let maxShortCharacters = 40

    private func cut(_ text: String, to count: Int) -> String {
        // Limits combining marks: i3blocks 1.4 cannot read a line of 2048 bytes.
        let maxBytes = 4 * count
        var (characters, bytes) = (0, 0)
        for end in text.indices {
            characters += 1
            bytes += text[end].utf8.count
            if characters > count || bytes > maxBytes {
                let shown = text[..<end]
                return (shown.last == " " ? shown.dropLast() : shown) + "…"
            }
        }
        return text
    }
}

extension BarContent {
    /// The content for a failed call; nil if the command itself is wrong.
    init?(_ failure: ClientError) {
        switch (failure.exitStatus, failure) {
        case (_, .refused(.noJokes)): self.init(.empty, failure.words)
        case (.unavailable, _), (.tryLater, _): self.init(.away, failure.words)
        default: return nil
        }
    }
}

extension Printer {
    /// Prints a line for a status bar.
    func print(_ content: BarContent, as bar: BarFormat) throws {
        try output.append(bar.line(content) + "\n")
        try output.flush()
    }
}
