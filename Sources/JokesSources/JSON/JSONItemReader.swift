import JSON
import JokesCore

/// Reads an item of an answer as a joke, with the configured mapping.
struct JSONItemReader {
    /// A value in an item has a wrong type, so the item is refused.
    struct Refusal: Error {}

    let mapping: JSONMapping

    /// Returns the joke of an item, which is an object or a text.
    func joke(_ item: JSONValue) throws(Refusal) -> FetchedJoke {
        if let text = item.string {
            return withSplitText(FetchedJoke(setup: text, isHTML: mapping.isHTML))
        }
        let fields = mapping.fields
        let setup = try text(fields.setup, of: item)
        let whole = setup == nil ? try text(fields.text, of: item) : nil
        guard let words = setup ?? whole else { throw Refusal() }
        let joke = FetchedJoke(
            upstreamID: try first(fields.id, of: item, Self.id),
            setup: words, punchline: setup == nil ? nil : try text(fields.punchline, of: item),
            isHTML: mapping.isHTML,
            language: try first(fields.language, of: item, \.string),
            categories: try names(fields.categories, of: item),
            flags: try flags(of: item),
            url: try first(fields.url, of: item, \.string),
            author: try first(fields.author, of: item, \.string),
            date: try first(fields.date, of: item) { $0.string ?? $0.number })
        return joke.punchline == nil ? withSplitText(joke) : joke
    }

    // MARK: Fields

    /// Returns the first value at the places.
    private func values(_ places: [JSONPointer], of item: JSONValue) throws(Refusal) -> [JSONValue] {
        for place in places {
            let found = try everything(at: place, of: item).filter { !$0.isNull }
            if !found.isEmpty { return found }
        }
        return []
    }

    private func everything(at place: JSONPointer, of item: JSONValue) throws(Refusal) -> [JSONValue] {
        do throws(JSONPointer.Unclear) {
            return try place.values(in: item)
        } catch {
            throw Refusal()
        }
    }

    private func first(
        _ places: [JSONPointer], of item: JSONValue, _ convert: (JSONValue) -> String?
    ) throws(Refusal) -> String? {
        guard let value = try values(places, of: item).first else { return nil }
        guard let text = convert(value) else { throw Refusal() }
        return text
    }

    /// Several texts become lines of one text.
    private func text(_ places: [JSONPointer], of item: JSONValue) throws(Refusal) -> String? {
        var lines: [String] = []
        for value in try values(places, of: item) {
            guard let line = value.string else { throw Refusal() }
            lines.append(line)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private func names(_ places: [JSONPointer], of item: JSONValue) throws(Refusal) -> [String] {
        var names: [String] = []
        for value in try values(places, of: item) { try Self.add(try Self.names(value), to: &names) }
        return names
    }

    /// A text or an integer, unchanged.
    private static func id(_ value: JSONValue) -> String? {
        value.string
            ?? value.number.flatMap { number in
                number.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ? number : nil
            }
    }

    /// A name, or a list of names.
    private static func names(_ value: JSONValue) throws(Refusal) -> [String] {
        if let name = value.string { return [name] }
        guard value.kind == .array else { throw Refusal() }
        var names: [String] = []
        for element in value.elements {
            guard let name = element.string, names.count < JSONPointer.maxValues else { throw Refusal() }
            names.append(name)
        }
        return names
    }

    /// The maximum number of names.
    private static func add(_ more: [String], to names: inout [String]) throws(Refusal) {
        names += more
        if names.count > JSONPointer.maxValues { throw Refusal() }
    }

    // MARK: Flags

    /// Returns the names of all flags. An invalid flag may be a warning, so the item is refused.
    private func flags(of item: JSONValue) throws(Refusal) -> [String] {
        var flags: [String] = []
        for place in mapping.flags {
            for value in try everything(at: place, of: item) {
                try Self.add(try Self.flags(in: value, called: place.steps.last), to: &flags)
            }
        }
        return flags
    }

    private static func flags(in value: JSONValue, called name: String?) throws(Refusal) -> [String] {
        switch value.kind {
        case .null: return []
        case .bool: return value.bool == true ? [name].compactMap(\.self) : []
        case .object: return try truths(of: value)
        case .array, .string: return try names(value)
        case .number, .invalid: throw Refusal()
        }
    }

    /// Returns the names of members that are true.
    private static func truths(of object: JSONValue) throws(Refusal) -> [String] {
        var flags: [String] = []
        for (name, value) in object.members where !value.isNull {
            guard let name = name.string, let isTrue = value.bool, flags.count < JSONPointer.maxValues else {
                throw Refusal()
            }
            if isTrue { flags.append(name) }
        }
        return flags
    }

    // MARK: Splitting

    /// Returns the joke, split into setup and punchline if the configuration says how.
    private func withSplitText(_ joke: FetchedJoke) -> FetchedJoke {
        // A text this long is refused anyway.
        guard mapping.split != .none, joke.setup.utf8.count <= Normalizer.longestRawText else { return joke }
        var joke = joke
        if joke.isHTML {
            // A line feed may be a tag, and a question mark may be inside one.
            joke.setup = plainText(ofHTML: joke.setup)
            joke.isHTML = false
        }
        guard let end = endOfSetup(of: joke.setup) else { return joke }
        joke.punchline = String(joke.setup[end...])
        joke.setup = String(joke.setup[..<end])
        return joke
    }

    private func endOfSetup(of text: String) -> String.Index? {
        let end: String.Index? =
            switch mapping.split {
            case .none: nil
            case .question:
                text.indices.last { index in
                    "?？؟".contains(text[index]) && !isBlank(text[text.index(after: index)...])
                }.map { text.index(after: $0) }
            case .newline:
                text.firstIndex { !$0.isWhitespace }.flatMap { text[$0...].firstIndex(where: \.isNewline) }
            }
        return end.flatMap { isBlank(text[$0...]) ? nil : $0 }
    }

    private func isBlank(_ text: Substring) -> Bool {
        text.allSatisfy(\.isWhitespace)
    }
}
