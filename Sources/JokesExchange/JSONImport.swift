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
        for (name, list) in root.members {
            let read: (JSONValue) throws -> ExchangeRecord
            switch name.string {
            case "favorites": read = { .favorite(try $0.decode(JokeRecord.self).favorite()) }
            case "hidden": read = { .hidden(try $0.decode(HiddenRecord.self).mark()) }
            case "jokes": read = { .joke(try $0.decode(JokeRecord.self).joke()) }
            default: continue
            }
            guard list.kind == .array else { throw RefusedRecord(offset: list.offset, reason: "expected a list") }
            for value in list.elements {
                try body(try Self.record(value, read).checked(at: value.offset))
            }
        }
    }

    /// Returns a record of the format of jokesd, and refuses the member that cannot be read.
    static func record(
        _ value: JSONValue, _ read: (JSONValue) throws -> ExchangeRecord
    ) throws -> ExchangeRecord {
        do {
            return try read(value)
        } catch let member as WrongMember {
            let offset = (value.member(member.name) ?? value).offset
            throw RefusedRecord(offset: offset, reason: "\(member.name): \(member.reason)")
        }
    }
}
