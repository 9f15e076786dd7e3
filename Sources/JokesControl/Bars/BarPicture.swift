import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout

/// The content of a status bar: a joke, and the state of the daemon.
struct BarPicture: Hashable, Sendable {
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

    var joke: ToldJoke?
    var state: State
    /// The explanation of the state.
    var remark: String?

    /// The first joke or search result of a snapshot, or else its newest favorite.
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

    init(_ state: State, _ remark: String) {
        (self.state, self.remark) = (state, remark)
    }

    /// The same joke with the state `away`.
    func away(_ remark: String) -> BarPicture {
        var picture = self
        (picture.state, picture.remark) = (.away, remark)
        return picture
    }

    /// The text of the bar: the joke on one line, or that there is none.
    var line: String {
        guard let joke else { return state == .away ? "jokesd is unreachable" : "no jokes to show" }
        return cut(oneLine(joke[.text]), to: Self.longestLine)
    }

    /// The text for a narrow bar.
    var shortLine: String {
        guard let joke else { return line }
        return cut(oneLine(joke[.setup]), to: Self.longestShortLine)
    }

    /// The tooltip: the whole joke, and the remark.
    var details: String {
        [joke.map { $0[.text] }, remark.map(sanitizedLines)].compactMap(\.self).joined(separator: "\n\n")
    }

    private static let longestLine = 150
    private static let longestShortLine = 40

    private func cut(_ text: String, to count: Int) -> String {
        // Limits combining marks: i3blocks 1.4 cannot read a line of 2048 bytes.
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

extension BarPicture {
    /// The content for a failed call; nil if the command itself is wrong.
    init?(_ failure: ClientError) {
        switch failure {
        case .unreachable, .silent, .broken: self.init(.away, failure.words)
        case .noAddress, .misunderstood, .unexpected: return nil
        case .refused(let refusal):
            switch refusal {
            case .noJokes: self.init(.empty, failure.words)
            case .busy, .storageUnavailable, .cannotStart: self.init(.away, failure.words)
            case .noSuchJoke, .ambiguousID, .noSuchSource, .sourceInUse, .noSuchImport, .importRefused: return nil
            }
        }
    }
}
