/// A format of exports (docs/export.md).
package enum ExportFormat: String, Sendable, CaseIterable {
    /// The format of jokesd, which keeps everything.
    case json
    /// JSON Feed 1.1, for feed readers.
    case jsonfeed
    /// A file of fortune(6): only the texts.
    case fortune
    /// A web page, for people.
    case html
    /// Plain text, for people.
    case text

    /// The formats that can be imported again.
    package static let importable: [ExportFormat] = [.json, .jsonfeed, .fortune]

    /// Returns a writer for one file, with all jokes or only with favorites and hidden marks.
    package func writer(holdsJokes: Bool) -> any ExportWriter {
        switch self {
        case .json: JSONExport(holdsJokes: holdsJokes)
        case .jsonfeed: ReaderExport(writer: JSONFeedExport(holdsJokes: holdsJokes))
        case .fortune: ReaderExport(writer: FortuneExport())
        case .html: ReaderExport(writer: HTMLExport(holdsJokes: holdsJokes))
        case .text: ReaderExport(writer: TextExport(holdsJokes: holdsJokes))
        }
    }
}
