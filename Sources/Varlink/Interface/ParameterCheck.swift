/// Compares the parameters of a message with their description.
struct ParameterCheck {
    let interface: InterfaceDescription
    let document: JSONDocument

    /// The first parameter that is unknown, missing, there twice or of the wrong type, with the way to it
    /// (`view.size`, `ids[2]`); nil where all is well.
    func firstProblem(in object: Int, fields: [FieldDescription]) -> String? {
        guard document.nodes[object].kind == .object else { return "parameters" }
        return problem(inObject: object, fields: fields)
    }

    /// The way from the object to the problem.
    private func problem(inObject object: Int, fields: [FieldDescription]) -> String? {
        var found: String?
        // One bit for each field; of those past 64 (nobody has so many) repetitions go unnoticed.
        var present: UInt64 = 0
        document.forEachMember(of: object) { key, value in
            guard let index = fields.firstIndex(where: { document.string(at: key, equals: $0.name) }) else {
                found = document.string(at: key)
                return false
            }
            let bit: UInt64 = index < 64 ? 1 << UInt64(index) : 0
            if present & bit != 0 {
                found = fields[index].name
            } else if let rest = problem(at: value, type: fields[index].type) {
                found = fields[index].name + rest
            }
            if document.nodes[value].kind != .null { present |= bit }
            return found == nil
        }
        if let found { return found }
        return fields.indices.first { $0 < 64 && present & (1 << UInt64($0)) == 0 && !fields[$0].isOptional }
            .map { fields[$0].name }
    }

    /// Empty where the value itself is wrong, else the way on from it; nil where all is well.
    private func problem(at node: Int, type: TypeDescription) -> String? {
        let kind = document.nodes[node].kind
        switch interface.resolve(type) {
        case .optional(let inner): return kind == .null ? nil : problem(at: node, type: inner)
        case .bool: return kind == .bool ? nil : ""
        case .int: return (document.integer(at: node) as Int64?) == nil ? "" : nil
        case .float: return document.double(at: node) == nil ? "" : nil
        case .string: return kind == .string ? nil : ""
        case .object: return kind == .object ? nil : ""
        case .enumeration(let names):
            return kind == .string && names.contains { document.string(at: node, equals: $0) } ? nil : ""
        case .structure(let fields):
            return kind == .object ? problem(inObject: node, fields: fields).map { ".\($0)" } : ""
        case .array(let element): return kind == .array ? problem(inElementsOf: node, type: element) : ""
        case .map(let value): return kind == .object ? problem(inValuesOf: node, type: value) : ""
        case .named: return ""
        }
    }

    private func problem(inElementsOf array: Int, type: TypeDescription) -> String? {
        for (index, element) in document.elements(of: array).enumerated() {
            if let rest = problem(at: element, type: type) { return "[\(index)]\(rest)" }
        }
        return nil
    }

    private func problem(inValuesOf map: Int, type: TypeDescription) -> String? {
        var found: String?
        document.forEachMember(of: map) { key, value in
            found = problem(at: value, type: type).map { "[\(document.string(at: key))]\($0)" }
            return found == nil
        }
        return found
    }
}
