/// A name with its namespace, which does not depend on prefixes.
struct XMLName: Hashable, Sendable {
    /// The URI of the namespace; empty for none.
    let namespace: String
    let local: String

    init(_ local: String, in namespace: String = "") { (self.local, self.namespace) = (local, namespace) }
}

/// The namespaces of prefixes at a position in a document (Namespaces in XML 1.0).
struct XMLNamespaces {
    static let xml = "http://www.w3.org/XML/1998/namespace"

    private var uris = ["xml": xml]
    /// The changes by open elements, which end with them.
    private var changes: [(depth: Int, prefix: String, before: String?)] = []

    /// Adds the declarations of an element.
    mutating func open(_ attributes: [(name: String, value: String)], depth: Int) {
        for (name, value) in attributes {
            guard let prefix = declaredPrefix(name), prefix != "xml" else { continue }
            changes.append((depth, prefix, uris.updateValue(value, forKey: prefix)))
        }
    }

    /// Removes the declarations of the element at a depth.
    mutating func close(depth: Int) {
        while changes.last?.depth == depth {
            let change = changes.removeLast()
            uris[change.prefix] = change.before
        }
    }

    /// Returns the name of an element. An undeclared prefix stays in the name.
    func name(ofElement raw: String) -> XMLName {
        guard let (prefix, local) = split(raw) else { return XMLName(raw, in: uris[""] ?? "") }
        return uris[prefix].map { XMLName(local, in: $0) } ?? XMLName(raw)
    }

    /// Returns the name of an attribute, which has no namespace without a prefix. Nil for a declaration.
    func name(ofAttribute raw: String) -> XMLName? {
        if declaredPrefix(raw) != nil { return nil }
        guard let (prefix, local) = split(raw), let uri = uris[prefix] else { return XMLName(raw) }
        return XMLName(local, in: uri)
    }

    private func declaredPrefix(_ name: String) -> String? {
        if name == "xmlns" { return "" }
        return name.hasPrefix("xmlns:") ? String(name.dropFirst("xmlns:".count)) : nil
    }

    private func split(_ raw: String) -> (prefix: String, local: String)? {
        guard let colon = raw.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (String(raw[..<colon]), String(raw[raw.utf8.index(after: colon)...]))
    }
}
