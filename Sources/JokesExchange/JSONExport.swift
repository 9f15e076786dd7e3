import JSON
import JokesCore

/// Writes the format of jokesd: one JSON object, with one record per line.
struct JSONExport: ExportWriter {
    static let name = "jokesd"
    static let version = 1

    private enum List: String, CaseIterable { case favorites, hidden, jokes }

    /// The open list and the lists after it.
    private var rest: [List]
    private var isEmpty = true

    init(holdsJokes: Bool) { rest = holdsJokes ? List.allCases : [.favorites, .hidden] }

    func begin() -> String { #"{"format":"\#(Self.name)","version":\#(Self.version),"\#(rest[0])":["# }

    mutating func text(of record: ExchangeRecord) throws -> String {
        let (list, record): (List, String) =
            switch record {
            case .favorite(let favorite): (.favorites, try JSONEncoding.text(of: JokeRecord(favorite)))
            case .hidden(let mark): (.hidden, try JSONEncoding.text(of: HiddenRecord(mark)))
            case .joke(let joke): (.jokes, try JSONEncoding.text(of: JokeRecord(joke)))
            }
        var text = ""
        while let open = rest.first, open != list { text += closeList() }
        precondition(!rest.isEmpty, "favorites come before hidden marks, and these before jokes")
        text += isEmpty ? "\n" : ",\n"
        isEmpty = false
        return text + record
    }

    mutating func end() -> String {
        var text = ""
        while !rest.isEmpty { text += closeList() }
        return text + "}\n"
    }

    private mutating func closeList() -> String {
        defer { isEmpty = true }
        rest.removeFirst()
        let next = rest.first.map { #","\#($0)":["# } ?? ""
        return (isEmpty ? "]" : "\n]") + next
    }
}

/// A hidden joke in the format of jokesd.
struct HiddenRecord: Codable {
    let fingerprint: String
    let hiddenAt: String

    init(_ mark: HiddenMark) {
        fingerprint = mark.fingerprint.hex
        hiddenAt = mark.hiddenAt.description
    }

    var mark: HiddenMark {
        get throws {
            guard let fingerprint = Fingerprint(hex: fingerprint) else {
                throw wrong(CodingKeys.fingerprint, "expected 64 hexadecimal digits")
            }
            return HiddenMark(fingerprint: fingerprint, hiddenAt: try requiredTime(hiddenAt, CodingKeys.hiddenAt))
        }
    }
}
