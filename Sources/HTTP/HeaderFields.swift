/// Header fields in their order. The case of names does not matter.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The value of the first field with a name. Setting it replaces all fields with the name; nil removes them.
    package subscript(name: String) -> String? {
        get {
            let wanted = name.lowercased()
            return fields.first { $0.name.lowercased() == wanted }?.value
        }
        set {
            let wanted = name.lowercased()
            fields.removeAll { $0.name.lowercased() == wanted }
            if let newValue { append(name, newValue) }
        }
    }

    /// Adds a field. Other fields with the same name stay.
    package mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Removes all fields except those with the names, which are in lower case.
    mutating func keep(only names: Set<String>) { fields.removeAll { !names.contains($0.name.lowercased()) } }
}
