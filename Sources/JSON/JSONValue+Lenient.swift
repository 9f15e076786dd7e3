/// Members whose type a caller checks one by one, so that a wrong one does not cost the others.
extension JSONValue {
    /// Returns a member; nil if it is absent or null. Throws if its name occurs twice.
    package func knownMember(_ name: String) throws(JSONError) -> JSONValue? {
        do throws(JSONPointer.NoClearValue) {
            return try uniqueMember(name).flatMap { $0.isNull ? nil : $0 }
        } catch {
            throw JSONError(offset: offset, path: name, reason: "occurs twice")
        }
    }

    /// Returns the text of a member; nil if it is absent or null.
    package func text(_ name: String) throws(JSONError) -> String? {
        guard let value = try knownMember(name) else { return nil }
        guard let text = value.string else {
            throw JSONError(offset: value.offset, path: name, reason: "expected text")
        }
        return text
    }

    /// Returns the texts of a list with at most `JSONPointer.maxValues` elements.
    package func texts() throws(JSONError) -> [String] {
        guard kind == .array else { throw JSONError(offset: offset, path: "", reason: "expected a list") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string, texts.count < JSONPointer.maxValues else {
                throw JSONError(offset: element.offset, path: "", reason: "expected text")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns a member; nil if it is absent or null, or occurs twice.
    package func optionalMember(_ name: String) -> JSONValue? { try? knownMember(name) }

    /// Returns the text of a member; nil if there is none.
    package func optionalText(_ name: String) -> String? { try? text(name) }
}
