import JokesCore
import TestSupport
import Testing
import Varlink

/// The description of jokesctl's JSON in docs/jokesctl.md.
struct PrintedShapes {
    /// A member of an object: its name and its type, in the notation of the page, such as `[Joke]` or `string?`.
    struct Member: Hashable {
        let name: String
        let type: String
    }

    /// The shape that each command prints, in the notation of the page.
    let commands: [(command: String, shape: String)]
    /// The members of each kind of object, in order.
    let objects: [String: [Member]]

    init() throws {
        let page = "docs/jokesctl.md"
        let members = try PageTable.all(of: page, headed: "member")
        objects = Dictionary(
            uniqueKeysWithValues: members.map { section, table in
                (
                    section,
                    table.rows.map {
                        Member(name: PageTable.codeSpans(in: $0[0])[0], type: PageTable.codeSpans(in: $0[1])[0])
                    }
                )
            })
        commands = try PageTable.all(of: page, headed: "command").flatMap(\.table.rows).map { row in
            let shape = PageTable.codeSpans(in: row[1]).first
            let isStream = row[1].hasPrefix("lines of ")
            return (PageTable.codeSpans(in: row[0])[0], shape.map { isStream ? "lines of \($0)" : $0 } ?? row[1])
        }
    }

    /// Returns the first difference between a value and its type on the page; `nil` if there is none.
    func complaint(_ value: AnyJSON, _ type: String, at place: String = "") -> String? {
        if type.hasSuffix("?") { return complaint(value, String(type.dropLast()), at: place) }
        if type.hasPrefix("[") {
            guard case .array(let elements) = value else { return "\(place) is no list" }
            let element = String(type.dropFirst().dropLast())
            return elements.enumerated().lazy.compactMap { complaint($1, element, at: "\(place)[\($0)]") }.first
        }
        switch (type, value) {
        case ("string", .string), ("int", .int), ("bool", .bool): return nil
        case ("time", .string(let text)) where Timestamp(text) != nil: return nil
        case ("string", _), ("int", _), ("bool", _), ("time", _): return "\(place) is no \(type): \(value)"
        // docs/protocol.md describes these in detail.
        case ("FilledSection", .object), ("Difference", .object): return nil
        default: return complaint(value, object: type, at: place)
        }
    }

    private func complaint(_ value: AnyJSON, object: String, at place: String) -> String? {
        guard let members = objects[object], case .object(let values) = value else {
            return "\(place) is no \(object): \(value)"
        }
        if let unknown = values.keys.first(where: { name in !members.contains { $0.name == name } }) {
            return "\(place).\(unknown) is not on the page"
        }
        return members.lazy.compactMap { member in
            guard let value = values[member.name] else {
                return member.type.hasSuffix("?") ? nil : "\(place).\(member.name) is missing"
            }
            return complaint(value, member.type, at: "\(place).\(member.name)")
        }.first
    }
}
