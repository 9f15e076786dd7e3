import JokesCore

/// Why nobody can say which values a pointer leads to.
enum UnclearJSON: Error {
    /// A name on the way to a value is there twice in one object.
    case ambiguous
    /// `*` stands for more than any joke has, and each would take the room of many bytes of the text.
    case tooMany
}

extension JSONPointer {
    /// So many values are found at most.
    static let mostValues = 1_000

    /// The values that the pointer leads to in a value: one, none, or as many as `*` stands for. O(n) of the value.
    func values(in value: JSONValue) throws(UnclearJSON) -> [JSONValue] {
        var found: [JSONValue] = []
        try Self.find(in: value, along: steps[...], &found)
        return found
    }

    /// The value that it leads to, nil where there is none or it is null: many upstreams write null for nothing.
    func value(in value: JSONValue) throws(UnclearJSON) -> JSONValue? {
        try values(in: value).first { !$0.isNull }
    }

    private static func find(
        in value: JSONValue, along steps: ArraySlice<String>, _ found: inout [JSONValue]
    ) throws(UnclearJSON) {
        guard let step = steps.first else {
            if found.count == mostValues { throw .tooMany }
            found.append(value)
            return
        }
        let rest = steps.dropFirst()
        switch value.kind {
        case .object:
            if let member = try value.member(step) { try find(in: member, along: rest, &found) }
        case .array where step == everyElement:
            var failure: UnclearJSON?
            value.forEachElement { element in
                do throws(UnclearJSON) {
                    try find(in: element, along: rest, &found)
                } catch {
                    failure = error
                }
                return failure == nil
            }
            if let failure { throw failure }
        case .array:
            if let element = value.element(step) { try find(in: element, along: rest, &found) }
        case .null, .bool, .number, .string, .nonsense: break
        }
    }
}

extension JSONValue {
    /// The value of a member; nil if there is none.
    ///
    /// - Throws: `UnclearJSON.ambiguous` if the object has two members with this name.
    func member(_ name: String) throws(UnclearJSON) -> JSONValue? {
        var found: JSONValue?
        var isTwice = false
        forEachMember { written, value in
            guard isName(written, name) else { return true }
            isTwice = found != nil
            found = value
            return !isTwice
        }
        if isTwice { throw UnclearJSON.ambiguous }
        return found
    }

    private func isName(_ written: ArraySlice<UInt8>, _ name: String) -> Bool {
        guard written.contains(UInt8(ascii: "\\")) else { return written.elementsEqual(name.utf8) }
        return unescaped(jsonString: written).map { $0.utf8.elementsEqual(name.utf8) } ?? false
    }

    /// The element at a position as RFC 6901 writes it: digits without a zero in front.
    fileprivate func element(_ position: String) -> JSONValue? {
        let isPosition =
            position.utf8.allSatisfy { (0x30...0x39).contains($0) } && (position == "0" || !position.hasPrefix("0"))
        guard isPosition, var left = Int(position) else { return nil }
        var found: JSONValue?
        forEachElement { element in
            if left == 0 { found = element }
            left -= 1
            return found == nil
        }
        return found
    }
}
