import JSON
package import JokesCore

extension ExchangeRecord {
    /// Returns the record as a line of JSON, which `init(line:)` reads.
    package func line() throws -> [UInt8] {
        let line =
            switch self {
            case .favorite(let favorite): Line(favorite: JokeRecord(favorite))
            case .hidden(let mark): Line(hidden: HiddenRecord(mark))
            case .joke(let joke): Line(joke: JokeRecord(joke))
            }
        return try JSONEncoding.encode(line) + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its line feed. Nothing is cleaned.
    package init(line bytes: ArraySlice<UInt8>) throws {
        let line = try JSONDocument(Array(bytes)).root.decode(Line.self)
        if let favorite = line.favorite {
            self = .favorite(try favorite.favorite())
        } else if let hidden = line.hidden {
            self = .hidden(try hidden.mark())
        } else if let joke = line.joke {
            self = .joke(try joke.joke())
        } else {
            throw WrongMember(name: "joke", reason: "missing")
        }
    }
}

private struct Line: Codable {
    var favorite: JokeRecord?
    var hidden: HiddenRecord?
    var joke: JokeRecord?
}
