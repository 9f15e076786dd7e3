import JokesCore

/// Writes plain text for people: each joke, and below it its note and a line with its source, author, date and address.
///
/// Lines are not wrapped: the program that shows the text knows its width, and tables keep their columns.
struct TextExport: ExportWriter {
    private static let indentation = "    "

    private let holdsJokes: Bool
    private var records = ReadableRecords()

    init(holdsJokes: Bool) { self.holdsJokes = holdsJokes }

    func begin() -> String { "" }

    mutating func text(of record: ExchangeRecord) -> String {
        guard let (joke, section) = records.next(record) else { return "" }
        let title = holdsJokes ? section?.rawValue : nil
        let heading = title.map { "\($0)\n\(String(repeating: "=", count: $0.count))\n\n" } ?? ""
        let details = [joke.source, joke.author, joke.dayInWords, joke.address].compactMap(\.self)
        let note = joke.note.map { Self.indented("Note: \($0)") } ?? ""
        return (records.count == 1 ? "" : "\n") + heading + joke.text.whole + "\n" + note
            + Self.indented("-- \(details.joined(separator: ", "))")
    }

    func end() -> String { "" }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "\(indentation)\($0)\n" }.joined()
    }
}
