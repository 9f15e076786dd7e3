import JSON
import JokesCore

/// Writes the format of jokesd: one JSON object, with one record per line.
struct JSONExport: ExportWriter {
    static let name = "jokesd"
    static let version = 1

    /// The names of the open list and the lists after it.
    private var lists: [String]
    private var isEmpty = true

    init(holdsJokes: Bool) { lists = ["favorites", "hidden"] + (holdsJokes ? ["jokes"] : []) }

    func begin() -> String { #"{"format":"\#(Self.name)","version":\#(Self.version),"\#(lists[0])":["# }

    mutating func text(of record: ExchangeRecord) throws -> String {
        let (list, record) =
            switch record {
            case .favorite(let favorite): ("favorites", try JSONEncoding.text(of: JokeRecord(favorite)))
            case .hidden(let mark): ("hidden", try JSONEncoding.text(of: HiddenRecord(mark)))
            case .joke(let joke): ("jokes", try JSONEncoding.text(of: JokeRecord(joke)))
            }
        let end = closeLists(before: list)
        precondition(!lists.isEmpty, "favorites come before hidden marks, and these before jokes")
        defer { isEmpty = false }
        return end + (isEmpty ? "\n" : ",\n") + record
    }

    mutating func end() -> String { closeLists(before: nil) + "}\n" }

    /// Closes the open list and those after it, and opens a list; nil closes all.
    private mutating func closeLists(before list: String?) -> String {
        var text = ""
        while let open = lists.first, open != list {
            lists.removeFirst()
            text += (isEmpty ? "]" : "\n]") + (lists.first.map { #","\#($0)":["# } ?? "")
            isEmpty = true
        }
        return text
    }
}
