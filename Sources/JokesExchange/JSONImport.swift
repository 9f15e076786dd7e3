import JSON
import JokesCore

/// Reads the format of jokesd. Unknown members are ignored.
struct JSONImport {
    let bytes: [UInt8]

    func forEachKeepsake(_ body: (Keepsake) throws -> Void) throws {
        let root = try JSONDocument(bytes).root
        guard root.text("format") == JSONExport.name, let version = root.member("version") else {
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

    private func forEach<Entry: KeepsakeEntry>(
        _ type: Entry.Type, of list: JSONValue, _ body: (Keepsake) throws -> Void
    ) throws {
        guard list.kind == .array else { throw RefusedRecord(offset: list.offset, reason: "expected a list") }
        for element in list.elements {
            try body(try element.decode(type).keepsake.checked(at: element.offset))
        }
    }
}

/// A record that is converted while it is decoded, so that errors have a position.
private protocol KeepsakeEntry: Decodable { var keepsake: Keepsake { get } }

private struct FavoriteEntry: KeepsakeEntry {
    let keepsake: Keepsake
    init(from decoder: any Decoder) throws { keepsake = .favorite(try JokeRecord(from: decoder).favorite) }
}

private struct HiddenEntry: KeepsakeEntry {
    let keepsake: Keepsake
    init(from decoder: any Decoder) throws { keepsake = .hidden(try HiddenRecord(from: decoder).mark) }
}

private struct JokeEntry: KeepsakeEntry {
    let keepsake: Keepsake
    init(from decoder: any Decoder) throws { keepsake = .joke(try JokeRecord(from: decoder).joke) }
}
