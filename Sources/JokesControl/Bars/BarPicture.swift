import Diffable
import JokesCore
import TextLayout

/// What a status bar shows of jokes: one, and how it stands with the daemon. Pure.
struct BarPicture: Hashable, Sendable {
    /// The bar gets its name: styles hang on it.
    enum State: String, CaseIterable, Sendable {
        case ok
        /// A source fails; jokes are there.
        case failing
        /// No source on the network can be reached; jokes are there.
        case offline
        /// There is no joke.
        case empty
        /// There is no daemon that answers.
        case away
    }

    var joke: ToldJoke?
    var state: State
    /// What there is to say of the state; nil where all is well.
    var remark: String?

    /// The newest joke of a picture, or the best that was found; its newest favorite where it has no others.
    init(_ picture: JokeSnapshot) {
        let items = picture.sections.lazy.flatMap { picture.items(inSection: $0.id) }
        joke =
            (items.compactMap(\.joke).first.map(ToldJoke.init)) ?? items.compactMap(\.favorite).first.map(ToldJoke.init)
        state = joke == nil ? .empty : .ok
        guard let header = picture.header else { return }
        var remarks: [String] = []
        if joke == nil { remarks.append("No joke is cached yet, or all are hidden or excluded by the filter.") }
        if header.isOffline {
            state = .offline
            remarks.append("Offline: no source on the network can be reached.")
        } else if !header.failing.isEmpty {
            if joke != nil { state = .failing }
            remarks.append("Failing: \(header.failing.joined(separator: ", ")). Try: jokesctl sources")
        }
        if !remarks.isEmpty { remark = remarks.joined(separator: "\n") }
    }

    init(_ joke: ToldJoke) {
        (self.joke, state) = (joke, .ok)
    }

    /// A picture without a joke: the remark is why.
    init(_ state: State, _ remark: String) {
        (self.state, self.remark) = (state, remark)
    }

    /// The same joke, as the last that is known.
    func away(_ remark: String) -> BarPicture {
        var picture = self
        (picture.state, picture.remark) = (.away, remark)
        return picture
    }

    /// What stands in the bar: a joke on one line, cut where no bar has room, or in words that there is none.
    var line: String {
        guard let joke else { return state == .away ? "jokesd is unreachable" : "no jokes to show" }
        return cut(oneLine(joke[.text]), to: Self.longestLine)
    }

    /// What stands there where there is little room.
    var shortLine: String {
        guard let joke else { return line }
        return cut(oneLine(joke[.setup]), to: Self.longestShortLine)
    }

    /// What is shown of it on demand: the joke with its own lines, and the remark below.
    var details: String {
        [joke.map { $0[.text] }, remark.map(sanitizedLines)].compactMap(\.self).joined(separator: "\n\n")
    }

    private static let longestLine = 150
    private static let longestShortLine = 40

    private func cut(_ text: String, to count: Int) -> String {
        // For letters with heaps of marks on them: i3blocks 1.4 reads no line of 2048 bytes, escapes and all.
        let mostBytes = 4 * count
        var (characters, bytes) = (0, 0)
        for end in text.indices {
            characters += 1
            bytes += text[end].utf8.count
            if characters > count || bytes > mostBytes {
                let shown = text[..<end]
                return (shown.last == " " ? shown.dropLast() : shown) + "…"
            }
        }
        return text
    }
}
