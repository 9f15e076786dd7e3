import JSON
import JokesCore

/// A value has another type than expected.
struct UnexpectedValue: Error {}

/// Reads an item of an answer as a joke, with the configured mapping. Throws if its text has a wrong type.
struct JSONItemReader {
    let mapping: JSONMapping

    /// Returns the joke of an item, which is an object or a text.
    func joke(_ item: JSONValue) throws(UnexpectedValue) -> FetchedJoke {
        if let text = item.string { return withSplitText(FetchedJoke(setup: text, isHTML: mapping.isHTML)) }
        let setup = try text(.setup, of: item)
        // Some services write an empty text for no value.
        let whole = setup?.isEmpty ?? true ? try text(.text, of: item) : nil
        guard let words = whole ?? setup else { throw UnexpectedValue() }
        let joke = FetchedJoke(
            upstreamID: first(.id, of: item, Self.id), setup: words,
            punchline: whole == nil ? try text(.punchline, of: item) : nil, isHTML: mapping.isHTML,
            language: first(.language, of: item, \.string), categories: categories(of: item),
            flags: flags(of: item), safety: safety(of: item),
            details: JokeDetails(
                url: first(.url, of: item, \.string), author: first(.author, of: item, \.string),
                date: first(.date, of: item) { $0.string ?? $0.number }))
        return joke.punchline == nil ? withSplitText(joke) : joke
    }

    // MARK: Fields

    private func values(_ pointer: JSONPointer, of item: JSONValue) throws(UnexpectedValue) -> [JSONValue] {
        do throws(JSONPointer.NoClearValue) { return try pointer.values(in: item) } catch { throw UnexpectedValue() }
    }

    /// Returns the values at the first pointer of a field that has any.
    private func values(_ field: JSONMapping.Field, of item: JSONValue) throws(UnexpectedValue) -> [JSONValue] {
        for pointer in mapping.fields[field] ?? [] {
            let found = try values(pointer, of: item).filter { !$0.isNull }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Several texts become lines of one text.
    private func text(_ field: JSONMapping.Field, of item: JSONValue) throws(UnexpectedValue) -> String? {
        let lines = try values(field, of: item).map { (value) throws(UnexpectedValue) in
            guard let line = value.string else { throw UnexpectedValue() }
            return line
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Returns an optional field. A value that cannot be read does not cost the joke.
    private func first(_ field: JSONMapping.Field, of item: JSONValue, _ read: (JSONValue) -> String?) -> String? {
        (try? values(field, of: item))?.lazy.compactMap(read).first
    }

    /// Returns the names in texts and in lists.
    private func categories(of item: JSONValue) -> [String] {
        let limit = JSONPointer.maxValues
        var names: [String] = []
        for value in (try? values(.categories, of: item)) ?? [] where names.count < limit {
            names += value.string.map { [$0] } ?? value.elements.prefix(limit).compactMap(\.string)
        }
        return Array(names.prefix(limit))
    }

    /// A text or an integer, unchanged.
    private static func id(_ value: JSONValue) -> String? {
        value.string
            ?? value.number.flatMap { number in
                number.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isASCIIDigit } ? number : nil
            }
    }

    // MARK: Ratings

    /// Returns the rating. A value that cannot be read may be a warning.
    private func safety(of item: JSONValue) -> Safety? {
        let values = try? values(.safe, of: item)
        if values?.isEmpty == true { return nil }
        return values?.allSatisfy { $0.truth == true } == true ? .safe : .unsafe
    }

    /// Returns the names of all flags. A value that cannot be read may be a warning, so it is the flag "other".
    private func flags(of item: JSONValue) -> [String] {
        mapping.flags.flatMap { pointer in
            do {
                let flags = try values(pointer, of: item).flatMap { try Self.flags(in: $0, name: pointer.steps.last) }
                guard flags.count <= JSONPointer.maxValues else { return ["other"] }
                return mapping.flagNames.map { known in flags.compactMap { known[$0.lowercased()] } } ?? flags
            } catch { return ["other"] }
        }
    }

    private static func flags(in value: JSONValue, name: String?) throws(UnexpectedValue) -> [String] {
        if value.isNull { return [] }
        if let isTrue = value.truth { return isTrue ? [name].compactMap(\.self) : [] }
        if let name = value.string { return [name] }
        if value.kind == .object { return try trueMembers(of: value) }
        guard let names = try? value.texts() else { throw UnexpectedValue() }
        return names
    }

    private static func trueMembers(of object: JSONValue) throws(UnexpectedValue) -> [String] {
        var names: [String] = []
        for (name, value) in object.members where !value.isNull {
            guard let name = name.string, let isTrue = value.truth, names.count < JSONPointer.maxValues else {
                throw UnexpectedValue()
            }
            if isTrue { names.append(name) }
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
        guard let end = endOfSetup(of: joke.setup), !joke.setup[end...].allSatisfy(\.isWhitespace) else { return joke }
        joke.punchline = String(joke.setup[end...])
        joke.setup = String(joke.setup[..<end])
        return joke
    }

    private func endOfSetup(of text: String) -> String.Index? {
        switch mapping.split {
        case .none: nil
        case .question: Self.endOfLastQuestion(in: text)
        case .newline: text.firstIndex { !$0.isWhitespace }.flatMap { text[$0...].firstIndex(where: \.isNewline) }
        }
    }

    /// Quotation marks with those that end them, in different languages.
    private static let quotationMarks: [Character: String] = [
        "\"": "\"", "\u{201C}": "\u{201D}", "\u{201D}": "\u{201D}", "\u{201E}": "\u{201C}\u{201D}", "«": "»", "»": "«»",
        "「": "」", "『": "』",
    ]

    /// Returns the end of the last question outside of quotation marks with text after it.
    private static func endOfLastQuestion(in text: String) -> String.Index? {
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        var (index, end) = (text.startIndex, String.Index?.none)
        // Marks without an end, which are searched for once.
        var unpaired: Set<Character> = []
        while index < last {
            let next = text.index(after: index)
            if "?？؟".contains(text[index]) { end = next }
            if let ends = quotationMarks[text[index]], !unpaired.contains(text[index]) {
                if let close = text[next...].firstIndex(where: ends.contains) {
                    index = close
                } else {
                    unpaired.insert(text[index])
                }
            }
            index = text.index(after: index)
        }
        return end
    }
}

extension JSONValue {
    /// The value as true or false, which some services write as 1 and 0 or as texts; nil for other values.
    var truth: Bool? {
        bool ?? ["true": true, "1": true, "false": false, "0": false][(string ?? number ?? "").lowercased()]
    }
}
