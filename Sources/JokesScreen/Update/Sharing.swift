import JokesCore
import Terminal
import TextLayout

extension Model {
    mutating func copyJoke() -> [Effect] {
        guard let text = itemAtCursor?.content?.text else { return [] }
        return [.copy(sanitizedLines(text.whole))]
    }

    mutating func openURL() -> [Effect] {
        guard let content = itemAtCursor?.content else { return [] }
        guard let url = content.url else {
            notice = Notice(text: "This joke has no URL; \(keys.name(of: .copy)) copies its text")
            return []
        }
        guard isWebAddress(url) else {
            notice = Notice(text: "Not a valid http or https URL: \(url)", role: .warning)
            return []
        }
        notice = Notice(text: "Opening \(url)")
        return [.open(url)]
    }

    mutating func takeCopyAnswer(refusal: ClipboardRefusal?) {
        notice =
            refusal.map { Notice(text: $0.words, role: .warning) }
            ?? Notice(text: "Sent to the terminal's clipboard")
    }

    /// Ignores the error of a browser that ran for a while: some run until their window is closed.
    mutating func takeOpenAnswer(_ url: String, refusal: String?, after time: Duration) {
        guard let refusal, time < longestFailure else { return }
        notice = Notice(text: "\(refusal): \(url)", role: .bad)
    }
}

extension ClipboardRefusal {
    fileprivate var words: String {
        switch self {
        case .console: "The console has no clipboard; jokesctl show ID prints the joke"
        case .screen: "GNU screen cannot copy; hold shift and select with the mouse"
        case .screenOrTmux: "Cannot copy with TERM=screen; in tmux, use TERM=tmux-256color"
        case .otherKind: "This terminal has no clipboard; jokesctl show ID prints the joke"
        }
    }
}

/// A later failure does not mean that the URL was not opened.
private let longestFailure = Duration.seconds(5)

/// True for a plain http or https URL: xdg-open may run any program for other schemes.
func isWebAddress(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return (start.hasPrefix("http://") || start == "https://") && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
