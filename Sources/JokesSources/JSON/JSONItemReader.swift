import JSON
import JokesCore

/// A value has another type than expected.
struct UnexpectedValue: Error {}

/// Reads an item of an answer as a joke, with the configured mapping. Throws if a value has a wrong type.
struct JSONItemReader {
    let mapping: JSONMapping

    /// Returns the joke of an item, which is an object or a text.
    func joke(_ item: JSONValue) throws(UnexpectedValue) -> FetchedJoke {
        if let text = item.string { return withSplitText(FetchedJoke(setup: text, isHTML: mapping.isHTML)) }
        let fields = mapping.fields
        let setup = try text(fields.setup, of: item)
        let whole = setup == nil ? try text(fields.text, of: item) : nil
        guard let words = setup ?? whole else { throw UnexpectedValue() }
        let joke = FetchedJoke(
            upstreamID: try first(fields.id, of: item, Self.id), setup: words,
            punchline: setup == nil ? nil : try text(fields.punchline, of: item), isHTML: mapping.isHTML,
            language: try first(fields.language, of: item, \.string),
            categories: try names(fields.categories, of: item), flags: try flags(of: item),
            url: try first(fields.url, of: item, \.string), author: try first(fields.author, of: item, \.string),
            date: try first(fields.date, of: item) { $0.string ?? $0.number })
        return joke.punchline == nil ? withSplitText(joke) : joke
    }

    // MARK: Fields

    private func values(_ pointer: JSONPointer, of item: JSONValue) throws(UnexpectedValue) -> [JSONValue] {
        do throws(JSONPointer.NoClearValue) { return try pointer.values(in: item) } catch { throw UnexpectedValue() }
    }

    /// Returns the values at the first pointer that has any.
    private func values(_ pointers: [JSONPointer], of item: JSONValue) throws(UnexpectedValue) -> [JSONValue] {
        for pointer in pointers {
            let found = try values(pointer, of: item).filter { !$0.isNull }
            if !found.isEmpty { return found }
        }
        return []
    }

    private func first(
        _ pointers: [JSONPointer], of item: JSONValue, _ convert: (JSONValue) -> String?
    ) throws(UnexpectedValue) -> String? {
        guard let value = try values(pointers, of: item).first else { return nil }
        guard let text = convert(value) else { throw UnexpectedValue() }
        return text
    }

    /// Several texts become lines of one text.
    private func text(_ pointers: [JSONPointer], of item: JSONValue) throws(UnexpectedValue) -> String? {
        let lines = try values(pointers, of: item).map { (value) throws(UnexpectedValue) in
            guard let line = value.string else { throw UnexpectedValue() }
            return line
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private func names(_ pointers: [JSONPointer], of item: JSONValue) throws(UnexpectedValue) -> [String] {
        var names: [String] = []
        for value in try values(pointers, of: item) { try Self.add(Self.names(value), to: &names) }
        return names
    }

    /// A text or an integer, unchanged.
    private static func id(_ value: JSONValue) -> String? {
        value.string
            ?? value.number.flatMap { number in
                number.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isASCIIDigit } ? number : nil
            }
    }

    /// A name, or a list of names.
    private static func names(_ value: JSONValue) throws(UnexpectedValue) -> [String] {
        if let name = value.string { return [name] }
        guard let texts = try? value.texts() else { throw UnexpectedValue() }
        return texts
    }

    /// Adds names, at most `JSONPointer.maxValues` in all.
    private static func add(_ more: [String], to names: inout [String]) throws(UnexpectedValue) {
        names += more
        if names.count > JSONPointer.maxValues { throw UnexpectedValue() }
    }

    // MARK: Flags

    /// Returns the names of all flags. An invalid flag may be a warning, so the item is refused.
    private func flags(of item: JSONValue) throws(UnexpectedValue) -> [String] {
        var flags: [String] = []
        for pointer in mapping.flags {
            for value in try values(pointer, of: item) {
                try Self.add(Self.flags(in: value, name: pointer.steps.last), to: &flags)
            }
        }
        return flags
    }

    private static func flags(in value: JSONValue, name: String?) throws(UnexpectedValue) -> [String] {
        switch value.kind {
        case .null: return []
        case .bool: return value.bool == true ? [name].compactMap(\.self) : []
        case .object: return try trueMembers(of: value)
        case .array, .string: return try names(value)
        case .number, .invalid: throw UnexpectedValue()
        }
    }

    private static func trueMembers(of object: JSONValue) throws(UnexpectedValue) -> [String] {
        var names: [String] = []
        for (name, value) in object.members where !value.isNull {
            guard let name = name.string, let isTrue = value.bool else { throw UnexpectedValue() }
            if isTrue { try add([name], to: &names) }
        }
        return names
    }

    // MARK: Splitting

    /// Returns the joke, split into setup and punchline if the configuration says how.
    private func withSplitText(_ joke: FetchedJoke) -> FetchedJoke {
        // A text this long is refused anyway.
        guard mapping.split != .none, joke.setup.utf8.count <= Normalizer.maxRawBytes else { return joke }
        var joke = joke
        if joke.isHTML {
            // A line feed may be a tag, and a question mark may be inside one.
            joke.setup = plainText(ofHTML: joke.setup)
            joke.isHTML = false
        }
        guard let end = endOfSetup(of: joke.setup), !isBlank(joke.setup[end...]) else { return joke }
        joke.punchline = String(joke.setup[end...])
        joke.setup = String(joke.setup[..<end])
        return joke
    }

    private func endOfSetup(of text: String) -> String.Index? {
        switch mapping.split {
        case .none: nil
        case .question:
            text.indices.last { index in "?？؟".contains(text[index]) && !isBlank(text[text.index(after: index)...]) }
                .map { text.index(after: $0) }
        case .newline: text.firstIndex { !$0.isWhitespace }.flatMap { text[$0...].firstIndex(where: \.isNewline) }
        }
    }

    private func isBlank(_ text: Substring) -> Bool { text.allSatisfy(\.isWhitespace) }
}
