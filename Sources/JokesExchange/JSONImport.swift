import JSON
import JokesCore

/// Reads the format of jokesd. Unknown members are ignored.
struct JSONImport {
    let bytes: [UInt8]

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let root = try JSONDocument(bytes).root
        guard root.optionalText("format") == JSONExport.name, let version = root.member("version") else {
            throw RefusedRecord(offset: root.offset, reason: "not a jokesd export")
        }
        guard version.integer() == JSONExport.version else {
            throw RefusedRecord(
                offset: version.offset,
                reason: "unsupported export version; this program reads version \(JSONExport.version)")
        }
        for (name, value) in root.members {
            switch name.string {
            case "favorites": try forEach(FavoriteEntry.self, of: value, body)
            case "hidden": try forEach(HiddenEntry.self, of: value, body)
            case "jokes": try forEach(JokeEntry.self, of: value, body)
            default: break
            }
        }
    }

    private func forEach<Entry: ExchangeEntry>(
        _ type: Entry.Type, of list: JSONValue, _ body: (ExchangeRecord) throws -> Void
    ) throws {
        guard list.kind == .array else { throw RefusedRecord(offset: list.offset, reason: "expected a list") }
        for element in list.elements {
            try body(try element.decode(type).record.checked(at: element.offset))
        }
    }
}

/// A record that is converted while it is decoded, so that errors have a position.
private protocol ExchangeEntry: Decodable { var record: ExchangeRecord { get } }

private struct FavoriteEntry: ExchangeEntry {
    let record: ExchangeRecord
    init(from decoder: any Decoder) throws { record = .favorite(try JokeRecord(from: decoder).favorite) }
}

private struct HiddenEntry: ExchangeEntry {
    let record: ExchangeRecord
    init(from decoder: any Decoder) throws { record = .hidden(try HiddenRecord(from: decoder).mark) }
}

private struct JokeEntry: ExchangeEntry {
    let record: ExchangeRecord
    init(from decoder: any Decoder) throws { record = .joke(try JokeRecord(from: decoder).joke) }
}
