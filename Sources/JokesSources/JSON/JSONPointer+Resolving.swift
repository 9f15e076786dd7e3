import JokesCore

/// A name on the way to a value is there twice in one object: which of the two is meant, nobody can say.
struct AmbiguousJSON: Error {}

extension JSONPointer {
    /// The values that the pointer leads to in a value: one, none, or as many as `*` stands for. O(n) of the value.
    func values(in value: JSONValue) throws(AmbiguousJSON) -> [JSONValue] {
        try Self.values(in: value, along: steps[...])
    }

    /// The value that it leads to, nil where there is none or it is null: many upstreams write null for nothing.
    func value(in value: JSONValue) throws(AmbiguousJSON) -> JSONValue? {
        try values(in: value).first { !$0.isNull }
    }

    private static func values(
        in value: JSONValue, along steps: ArraySlice<String>
    ) throws(AmbiguousJSON) -> [JSONValue] {
        guard let step = steps.first else { return [value] }
        let rest = steps.dropFirst()
        switch value.kind {
        case .object:
            guard let member = try value.member(step) else { return [] }
            return try values(in: member, along: rest)
        case .array where step == everyElement:
            var found: [JSONValue] = []
            var failure: AmbiguousJSON?
            value.forEachElement { element in
                do throws(AmbiguousJSON) {
                    found += try values(in: element, along: rest)
                } catch {
                    failure = error
                }
                return failure == nil
            }
            if let failure { throw failure }
            return found
        case .array:
            guard let element = value.element(step) else { return [] }
            return try values(in: element, along: rest)
        case .null, .bool, .number, .string, .nonsense:
            return []
        }
    }
}

extension JSONValue {
    /// The value of a member.
    fileprivate func member(_ name: String) throws(AmbiguousJSON) -> JSONValue? {
        var found: JSONValue?
        var isTwice = false
        forEachMember { written, value in
            guard isName(written, name) else { return true }
            isTwice = found != nil
            found = value
            return !isTwice
        }
        if isTwice { throw AmbiguousJSON() }
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
