/// A name in the namespace that it belongs to: what two documents agree on, whatever prefixes they use.
struct XMLName: Hashable, Sendable {
    /// A URI; empty where the name is in none.
    let namespace: String
    let local: String

    init(_ local: String, in namespace: String = "") {
        self.local = local
        self.namespace = namespace
    }
}

/// What prefixes stand for at a place in a document (Namespaces in XML 1.0).
struct XMLNamespaces {
    static let xml = "http://www.w3.org/XML/1998/namespace"

    private var uris = ["xml": xml]
    /// What the open elements changed, to be undone at their ends.
    private var changes: [(depth: Int, prefix: String, before: String?)] = []

    /// Follows an element's own declarations.
    mutating func open(_ attributes: [(name: String, value: String)], depth: Int) {
        for attribute in attributes {
            guard let prefix = declaredPrefix(attribute.name), prefix != "xml" else { continue }
            changes.append((depth, prefix, uris[prefix]))
            uris[prefix] = attribute.value
        }
    }

    /// Forgets the declarations of the element at that depth.
    mutating func close(depth: Int) {
        while let change = changes.last, change.depth == depth {
            uris[change.prefix] = change.before
            changes.removeLast()
        }
    }

    /// The name of an element. A prefix that nothing declares stays in the name, which then is none that we know.
    func name(ofElement raw: String) -> XMLName {
        guard let (prefix, local) = split(raw) else { return XMLName(raw, in: uris[""] ?? "") }
        return uris[prefix].map { XMLName(local, in: $0) } ?? XMLName(raw)
    }

    /// The name of an attribute: without a prefix it is in no namespace. Nil for a declaration.
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
