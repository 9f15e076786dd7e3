import JSON
import JokesCore

/// Reads the format of jokesd. Unknown members are ignored.
struct JSONImport {
    let bytes: [UInt8]

    func forEachRecord(_ body: (ExchangeRecord) throws -> Void) throws {
        let root = try JSONDocument(bytes).root
        guard root.optionalText("format") == JSONExport.name, let version = root.member("version") else {
            throw JSONError(offset: root.offset, reason: "not a jokesd export")
        }
        guard version.integer() == JSONExport.version else {
            throw JSONError(
                offset: version.offset,
                reason: "unsupported export version; this program reads version \(JSONExport.version)")
        }
        for (name, list) in root.members {
            let read: (JSONValue) throws -> ExchangeRecord
            switch name.string {
            case "favorites": read = { .favorite(try $0.required("favoritedAt", $0.decode(JokeRecord.self).favorite)) }
            case "hidden": read = { .hidden(try $0.decode(HiddenRecord.self).mark) }
            case "jokes": read = { .joke(try $0.required("firstSeen", $0.decode(JokeRecord.self).joke)) }
            default: continue
            }
            guard list.kind == .array else { throw JSONError(offset: list.offset, reason: "expected a list") }
            for value in list.elements { try body(try read(value).checked(at: value.offset, of: bytes)) }
        }
    }
}

extension JSONValue {
    /// Returns what was decoded from this object, which is nil if it lacks a member.
    func required<Decoded>(_ member: String, _ decoded: Decoded?) throws(JSONError) -> Decoded {
        guard let decoded else { throw JSONError(offset: offset, path: member, reason: "missing") }
        return decoded
    }
}
