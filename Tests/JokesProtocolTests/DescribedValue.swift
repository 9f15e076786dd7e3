import FoundationEssentials
import Varlink

/// JSON as anybody would read it.
enum JSONValue: Decodable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ json: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .int(number)
        } else if let number = try? value.decode(Double.self) {
            self = .float(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }
}

/// Holds JSON against an interface text, as a client in another language would that trusts nothing but the text.
struct DescribedValue {
    let interface: InterfaceDescription

    /// Where the members of an object are not as the fields say; empty where all is well.
    func problems(of value: JSONValue, as fields: [FieldDescription], at place: String = "") -> [String] {
        guard case .object(let members) = value else { return ["\(place) is no object"] }
        let unknown = members.keys.filter { key in !fields.contains { $0.name == key } }
        let found = fields.flatMap { field -> [String] in
            let place = "\(place).\(field.name)"
            if let member = members[field.name] { return problems(of: member, as: field.type, at: place) }
            return field.isOptional ? [] : ["\(place) is missing"]
        }
        return unknown.map { "\(place).\($0) is not described" } + found + kindProblems(members, fields, place)
    }

    /// "The member named like the kind is there, the others are not."
    private func kindProblems(
        _ members: [String: JSONValue], _ fields: [FieldDescription], _ place: String
    ) -> [String] {
        guard case .enumeration(let kinds)? = fields.first(where: { $0.name == "kind" })?.type else { return [] }
        guard case .string(let kind)? = members["kind"] else { return ["\(place) has no kind"] }
        let present = kinds.filter { members[$0] != nil }
        return present == [kind] ? [] : ["\(place) is a \(kind) and has the members \(present)"]
    }

    private func problems(of value: JSONValue, as type: TypeDescription, at place: String) -> [String] {
        switch (type, value) {
        case (.named(let name), _):
            interface.type(named: name).map { problems(of: value, as: $0, at: place) } ?? ["\(name) is no type"]
        // What is absent is left out: null is for nobody.
        case (.optional(let inner), _): problems(of: value, as: inner, at: place)
        case (.structure(let fields), _): problems(of: value, as: fields, at: place)
        case (.array(let element), .array(let elements)):
            elements.enumerated().flatMap { problems(of: $1, as: element, at: "\(place)[\($0)]") }
        case (.map(let inner), .object(let members)):
            members.flatMap { problems(of: $1, as: inner, at: "\(place).\($0)") }
        case (.enumeration(let names), .string(let name)) where names.contains(name): []
        case (.bool, .bool), (.int, .int), (.float, .float), (.float, .int), (.string, .string), (.object, .object): []
        default: ["\(place) is \(value) and not \(type)"]
        }
    }

    // MARK: Choices

    /// All that messages with this member may choose: whether an optional field is there, and a name of an enumeration.
    func choices(of member: InterfaceDescription.Member) -> Set<String> {
        switch member.kind {
        case .type(let type): choices(of: type, at: member.name)
        case .method(let input, let output):
            choices(of: .structure(input), at: "\(Part.parameters(member.name))")
                .union(choices(of: .structure(output), at: "\(Part.reply(member.name))"))
        case .error(let fields): choices(of: .structure(fields), at: "\(Part.error(member.name))")
        }
    }

    private func choices(of type: TypeDescription, at place: String) -> Set<String> {
        switch type {
        case .structure(let fields): Set(fields.flatMap { choices(of: $0.type, at: "\(place).\($0.name)") })
        case .optional(let inner): choices(of: inner, at: place).union(["\(place) absent", "\(place) present"])
        case .enumeration(let names): Set(names.map { "\(place) \($0)" })
        case .array(let inner), .map(let inner): choices(of: inner, at: place)
        case .bool, .int, .float, .string, .object, .named: []
        }
    }

    /// The choices that a value of a type has made; the value is nil if it is left out.
    func choices(of type: TypeDescription, in value: JSONValue?, at place: String) -> Set<String> {
        switch (type, value) {
        case (.named(let name), _):
            interface.type(named: name).map { choices(of: $0, in: value, at: name) } ?? []
        case (.optional, nil): ["\(place) absent"]
        case (.optional(let inner), _): choices(of: inner, in: value, at: place).union(["\(place) present"])
        case (.structure(let fields), .object(let members)):
            Set(fields.flatMap { choices(of: $0.type, in: members[$0.name], at: "\(place).\($0.name)") })
        case (.enumeration, .string(let name)): ["\(place) \(name)"]
        case (.array(let inner), .array(let elements)):
            Set(elements.flatMap { choices(of: inner, in: $0, at: place) })
        case (.map(let inner), .object(let members)):
            Set(members.values.flatMap { choices(of: inner, in: $0, at: place) })
        default: []
        }
    }
}
