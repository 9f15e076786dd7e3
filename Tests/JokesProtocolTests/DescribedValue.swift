import Varlink

/// Compares JSON with an interface text, without the types of this program.
struct DescribedValue {
    let interface: InterfaceDescription

    /// Returns the differences between the members of an object and its fields; empty if there are none.
    func problems(of value: AnyJSON, as fields: [FieldDescription], at path: String = "") -> [String] {
        guard case .object(let members) = value else { return ["\(path) is not an object"] }
        let unknown = members.keys.filter { key in !fields.contains { $0.name == key } }
        let found = fields.flatMap { field -> [String] in
            let path = "\(path).\(field.name)"
            if let member = members[field.name] { return problems(of: member, as: field.type, at: path) }
            return field.isOptional ? [] : ["\(path) is missing"]
        }
        return unknown.map { "\(path).\($0) is not described" } + found + kindProblems(members, fields, path)
    }

    /// The interface says: of the members that the kinds name, only the member of this kind is present.
    private func kindProblems(
        _ members: [String: AnyJSON], _ fields: [FieldDescription], _ path: String
    ) -> [String] {
        guard case .enumeration(let kinds)? = fields.first(where: { $0.name == "kind" })?.type else { return [] }
        guard case .string(let kind)? = members["kind"] else { return ["\(path) has no kind"] }
        let present = kinds.filter { members[$0] != nil }
        return present == [kind] ? [] : ["\(path) is a \(kind) and has the members \(present)"]
    }

    private func problems(of value: AnyJSON, as type: TypeDescription, at path: String) -> [String] {
        switch (type, value) {
        case (.named(let name), _):
            interface.type(named: name).map { problems(of: value, as: $0, at: path) } ?? ["\(name) is not a type"]
        // An absent member is left out, never null.
        case (.optional(let inner), _): problems(of: value, as: inner, at: path)
        case (.structure(let fields), _): problems(of: value, as: fields, at: path)
        case (.array(let element), .array(let elements)):
            elements.enumerated().flatMap { problems(of: $1, as: element, at: "\(path)[\($0)]") }
        case (.map(let inner), .object(let members)):
            members.flatMap { problems(of: $1, as: inner, at: "\(path).\($0)") }
        case (.enumeration(let names), .string(let name)) where names.contains(name): []
        case (.bool, .bool), (.int, .int), (.float, .double), (.float, .int), (.string, .string), (.object, .object),
            (.any, _):
            []
        default: ["\(path) is \(value) and not \(type)"]
        }
    }

    // MARK: Choices

    /// Returns the choices that messages with this member have: optional fields, and names of enumerations.
    func choices(of member: InterfaceDescription.Member) -> Set<String> {
        switch member.kind {
        case .type(let type): choices(of: type, at: member.name)
        case .method(let input, let output):
            choices(of: .structure(input), at: "\(Part.parameters(member.name))")
                .union(choices(of: .structure(output), at: "\(Part.reply(member.name))"))
        case .error(let fields): choices(of: .structure(fields), at: "\(Part.error(member.name))")
        }
    }

    private func choices(of type: TypeDescription, at path: String) -> Set<String> {
        switch type {
        case .structure(let fields): Set(fields.flatMap { choices(of: $0.type, at: "\(path).\($0.name)") })
        case .optional(let inner): choices(of: inner, at: path).union(["\(path) absent", "\(path) present"])
        case .enumeration(let names): Set(names.map { "\(path) \($0)" })
        case .array(let inner), .map(let inner): choices(of: inner, at: path)
        case .bool, .int, .float, .string, .object, .any, .named: []
        }
    }

    /// Returns the choices that a value of a type has made; the value is nil if it is left out.
    func choices(of type: TypeDescription, in value: AnyJSON?, at path: String) -> Set<String> {
        switch (type, value) {
        case (.named(let name), _):
            interface.type(named: name).map { choices(of: $0, in: value, at: name) } ?? []
        case (.optional, nil): ["\(path) absent"]
        case (.optional(let inner), _): choices(of: inner, in: value, at: path).union(["\(path) present"])
        case (.structure(let fields), .object(let members)):
            Set(fields.flatMap { choices(of: $0.type, in: members[$0.name], at: "\(path).\($0.name)") })
        case (.enumeration, .string(let name)): ["\(path) \(name)"]
        case (.array(let inner), .array(let elements)):
            Set(elements.flatMap { choices(of: inner, in: $0, at: path) })
        case (.map(let inner), .object(let members)):
            Set(members.values.flatMap { choices(of: inner, in: $0, at: path) })
        default: []
        }
    }
}
