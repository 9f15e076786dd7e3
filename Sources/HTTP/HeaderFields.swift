/// Header fields in the order they came or are sent; names match in any case.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The first field of that name; setting replaces all of that name, nil removes them.
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

    /// Adds a field, beside others of the name.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Drops all fields but those of the names, given in lower case.
    mutating func keep(only names: Set<String>) {
        fields.removeAll { !names.contains($0.name.lowercased()) }
    }

    /// Adds the field of a line as it came over the wire; other lines are passed over.
    mutating func append(line: some Sequence<UInt8>) {
        let bytes = Array(line)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, bytes[0] > UInt8(ascii: " ") else {
            return
        }
        append(
            String(decoding: bytes[..<colon], as: UTF8.self),
            String(decoding: bytes[(colon + 1)...].trimmed, as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space at its ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}

/// What a body is, by its Content-Type (RFC 9110).
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Type and subtype in lower case: `application/json`.
    package let essence: String
    /// The charset parameter in lower case, where there is one.
    package let charset: String?

    /// Reads a Content-Type; nil where it names no type.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
        let isToken = { (part: Substring) in
            !part.isEmpty && part.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        }
        guard let essence = parts.first, essence.split(separator: "/", omittingEmptySubsequences: false).count == 2,
            essence.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(isToken)
        else { return nil }
        self.essence = essence
        charset = parts.dropFirst().first { $0.hasPrefix("charset=") }.map {
            $0.dropFirst("charset=".count).filter { $0 != "\"" }
        }
    }

    /// `application/json`, `text/json` and every `+json`.
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    package var description: String { essence }
}
