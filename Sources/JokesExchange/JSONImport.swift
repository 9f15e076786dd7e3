import JokesCore
import Varlink

/// Reads our own format, whatever its layout; members that it does not know are passed over.
struct JSONImport {
    private let outline: JSONOutline

    init(_ bytes: [UInt8]) {
        outline = JSONOutline(bytes: bytes)
    }

    func forEachKeepsake(_ body: (Keepsake) throws -> Void) throws {
        let whole = try outline.wholeValue()
        let members = try outline.members(of: whole)
        try checkVersion(members, of: whole)
        for member in members {
            switch member.key {
            case "favorites": try forEach(FavoriteEntry.self, of: member, body)
            case "hidden": try forEach(HiddenEntry.self, of: member, body)
            case "jokes": try forEach(JokeEntry.self, of: member, body)
            default: try outline.pass(member.value)
            }
        }
    }

    private func checkVersion(_ members: [JSONOutline.Member], of whole: Range<Int>) throws {
        guard let name = members.first(where: { $0.key == "format" }),
            try VarlinkJSON.decode(String.self, from: outline.bytes[name.value]) == JSONExport.name,
            let version = members.first(where: { $0.key == "version" })
        else {
            throw VarlinkJSON.Complaint(index: whole.lowerBound, reason: "not a jokesd export")
        }
        guard try VarlinkJSON.decode(Int.self, from: outline.bytes[version.value]) == JSONExport.version else {
            throw VarlinkJSON.Complaint(
                index: version.value.lowerBound,
                reason: "unsupported export version; this program reads version \(JSONExport.version)")
        }
    }

    private func forEach<Entry: KeepsakeEntry>(
        _ type: Entry.Type, of member: JSONOutline.Member, _ body: (Keepsake) throws -> Void
    ) throws {
        try outline.forEachElement(of: member.value) { place in
            let entry = try VarlinkJSON.decode(type, from: outline.bytes[place])
            try body(try entry.keepsake.checked(at: place.lowerBound))
        }
    }
}

/// A record as what it is a record of; reading it fails where its values are none that this may have.
private protocol KeepsakeEntry: Decodable {
    var keepsake: Keepsake { get }
}

private struct FavoriteEntry: KeepsakeEntry {
    let keepsake: Keepsake

    init(from decoder: any Decoder) throws {
        keepsake = .favorite(try JokeRecord(from: decoder).favorite)
    }
}

private struct HiddenEntry: KeepsakeEntry {
    let keepsake: Keepsake

    init(from decoder: any Decoder) throws {
        keepsake = .hidden(try HiddenRecord(from: decoder).mark)
    }
}

private struct JokeEntry: KeepsakeEntry {
    let keepsake: Keepsake

    init(from decoder: any Decoder) throws {
        keepsake = .joke(try JokeRecord(from: decoder).joke)
    }
}
