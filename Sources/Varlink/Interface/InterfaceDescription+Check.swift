import JSON

extension InterfaceDescription {
    /// Returns the path of the first parameter that is unknown, missing, duplicate or of the wrong type, such as
    /// `view.size` or `ids[2]`; nil if all are right.
    func problem(inObject object: JSONValue, fields: [FieldDescription]) -> String? {
        var isPresent = [Bool](repeating: false, count: fields.count)
        for (name, value) in object.members {
            guard let index = fields.firstIndex(where: { name.isString($0.name) }) else { return name.string }
            // Null counts as absent, also for `any`.
            if isPresent[index] || value.isNull && !fields[index].isOptional { return fields[index].name }
            isPresent[index] = true
            if let rest = problem(at: value, type: fields[index].type) { return fields[index].name + rest }
        }
        return fields.indices.first { !isPresent[$0] && !fields[$0].isOptional }.map { fields[$0].name }
    }

    /// Returns the path from a value to a problem in it, which is empty if the value itself is wrong; nil if it is
    /// right.
    private func problem(at value: JSONValue, type: TypeDescription) -> String? {
        let kind = value.kind
        switch resolve(type) {
        case .optional(let inner): return kind == .null ? nil : problem(at: value, type: inner)
        case .bool: return kind == .bool ? nil : ""
        case .int: return value.integer(as: Int64.self) == nil ? "" : nil
        case .float: return value.double == nil ? "" : nil
        case .string: return kind == .string ? nil : ""
        case .object: return kind == .object ? problem(inValuesOf: value, type: .any) : ""
        case .enumeration(let names):
            return kind == .string && names.contains { value.isString($0) } ? nil : ""
        case .structure(let fields):
            return kind == .object ? problem(inObject: value, fields: fields).map { ".\($0)" } : ""
        case .array(let element): return kind == .array ? problem(inElementsOf: value, type: element) : ""
        case .map(let element): return kind == .object ? problem(inValuesOf: value, type: element) : ""
        case .any: return problem(inElementsOf: value, type: .any) ?? problem(inValuesOf: value, type: .any)
        case .named: return ""
        }
    }

    private func problem(inElementsOf list: JSONValue, type: TypeDescription) -> String? {
        for (index, element) in list.elements.enumerated() {
            if let rest = problem(at: element, type: type) { return "[\(index)]\(rest)" }
        }
        return nil
    }

    /// A duplicate key is a problem, because another program may read the other value. Keys are compared as a Swift
    /// dictionary compares keys: two forms of one text are duplicates.
    private func problem(inValuesOf map: JSONValue, type: TypeDescription) -> String? {
        var names: Set<String> = []
        for (name, value) in map.members {
            let name = name.string ?? ""
            guard names.insert(name).inserted else { return "[\(name)]" }
            if let rest = problem(at: value, type: type) { return "[\(name)]\(rest)" }
        }
        return nil
    }
}
