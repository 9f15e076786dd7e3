/// A format of exports (docs/export.md).
package enum ExportFormat: Hashable, Sendable, CaseIterable {
    /// A format that can be imported again.
    case exchange(ExchangeFormat)
    /// A web page, for people.
    case html
    /// Plain text, for people.
    case text

    package static let allCases = ExchangeFormat.allCases.map(ExportFormat.exchange) + [.html, .text]

    /// Reads the name of a format; nil if there is none with this name.
    package init?(_ name: String) {
        guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    package var name: String {
        switch self {
        case .exchange(let format): format.rawValue
        case .html: "html"
        case .text: "text"
        }
    }

    /// Returns a writer for one file, with all jokes or only with favorites and hidden marks.
    package func writer(holdsJokes: Bool) -> any ExportWriter {
        switch self {
        case .exchange(let format): format.writer(holdsJokes: holdsJokes)
        case .html: HTMLExport(holdsJokes: holdsJokes)
        case .text: TextExport(holdsJokes: holdsJokes)
        }
    }
}
