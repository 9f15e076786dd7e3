import JSON

extension InterfaceDescription {
    /// Returns the path of the first parameter that is unknown, missing, duplicate or of the wrong type, such as
    /// `view.size` or `ids[2]`; nil if all are right.
    func problem(inObject object: JSONValue, fields: [FieldDescription]) -> String? {
        // One bit for each field. After the 64th field, duplicates and missing fields are not found; decoding reports
        // the missing ones.
        var present: UInt64 = 0
        for (name, value) in object.members {
            guard let index = fields.firstIndex(where: { name.isString($0.name) }) else { return name.string }
            let bit: UInt64 = index < 64 ? 1 << UInt64(index) : 0
            if present & bit != 0 { return fields[index].name }
            if let rest = problem(at: value, type: fields[index].type) { return fields[index].name + rest }
            if !value.isNull { present |= bit }
        }
        return fields.indices.first { $0 < 64 && present & (1 << UInt64($0)) == 0 && !fields[$0].isOptional }
            .map { fields[$0].name }
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
        case .object: return kind == .object ? nil : ""
        case .enumeration(let names):
            return kind == .string && names.contains { value.isString($0) } ? nil : ""
        case .structure(let fields):
            return kind == .object ? problem(inObject: value, fields: fields).map { ".\($0)" } : ""
        case .array(let element): return kind == .array ? problem(inElementsOf: value, type: element) : ""
        case .map(let element): return kind == .object ? problem(inValuesOf: value, type: element) : ""
        case .named: return ""
        }
    }

    private func problem(inElementsOf list: JSONValue, type: TypeDescription) -> String? {
        for (index, element) in list.elements.enumerated() {
            if let rest = problem(at: element, type: type) { return "[\(index)]\(rest)" }
        }
        return nil
    }

    private func problem(inValuesOf map: JSONValue, type: TypeDescription) -> String? {
        for (name, value) in map.members {
            if let rest = problem(at: value, type: type) { return "[\(name.string ?? "")]\(rest)" }
        }
        return nil
    }
}
