import JSON
import JSON5
import JokesCore

/// The keys of a source of type `json` that other sources do not have.
extension JSONMapping {
    init(_ keys: inout KeyedReader) {
        self.init()
        query = keys["query", .fields()] ?? query
        strategy = keys["strategy", Rule<Strategy>.oneCase("strategy")] ?? strategy
        size = keys["size", .integer(1...10_000)] ?? size
        first = keys["first", .integer(0...1_000_000_000)] ?? (strategy == .range ? 0 : 1)
        pages = keys["pages", .pointer]
        total = keys["total", .pointer]
        next = keys["next", .pointer]
        items = keys["items", .pointerWithStar] ?? items
        fields = keys["map", .fields] ?? fields
        flags = keys["flags", .oneOrMore(of: .pointerWithStar)] ?? flags
        error = keys["error", .oneOrMore(of: .condition)] ?? error
        empty = keys["empty", .oneOrMore(of: .condition)] ?? empty
        split = keys["split", Rule<Split>.oneCase("split mode")] ?? split
        isHTML = keys["html", .word("HTML mode", of: ["keep", "strip"])] == "strip"
        if strategy == .cursor { keys.reportIfMissing("next", "a JSON Pointer to the next cursor or URL") }
    }
}

extension Rule where Value == FieldTable<[JSONPointer]> {
    fileprivate static var fields: Rule {
        .object { keys in
            var fields: Value = [:]
            for field in JSONMapping.Field.allCases {
                fields[field] = keys[field.stringValue, .oneOrMore(of: .pointerWithStar)]
            }
            if !keys.contains("text") && !keys.contains("setup") {
                keys.report(about: nil, #"missing key 'text': write "text": "/joke", or "setup" and "punchline""#)
            }
            return fields
        }
    }
}

extension Rule where Value == JSONPointer {
    /// The rule for a pointer to one value.
    static var pointer: Rule {
        pointerWithStar.unless { pointer, value in
            pointer.hasStar ? "invalid JSON Pointer \(value.quoted): * is not allowed here" : nil
        }
    }

    /// The rule for a pointer that may have one `*`, for all elements of a list.
    static var pointerWithStar: Rule {
        .checking { value throws(InvalidValue) in
            guard case .string(let text) = value.value else {
                throw InvalidValue(#"expected a JSON Pointer such as "/data/0/joke", found \#(value.quoted)"#)
            }
            do throws(JSONPointer.Malformed) {
                return try JSONPointer(text)
            } catch {
                let advice =
                    switch error {
                    case .noSlash: "did you mean \(quote("/" + text))?"
                    case .badEscape: "write ~0 for ~ and ~1 for / in a name"
                    case .secondStar: "use * at most once"
                    }
                throw InvalidValue("invalid JSON Pointer \(value.quoted): \(advice)")
            }
        }
    }
}

extension Rule where Value == JSONCondition {
    fileprivate static var condition: Rule {
        .object { keys in
            let pointer = keys.require("pointer", .pointer)
            let tests = ["is", "not", "exists"].filter(keys.contains)
            let equals = keys["is", .plainValue].map(JSONCondition.Test.equals)
            let differs = keys["not", .plainValue].map(JSONCondition.Test.differs)
            let exists = keys["exists", .bool].map { $0 ? JSONCondition.Test.differs(.null) : .equals(.null) }
            if tests.count != 1 {
                keys.report(about: nil, "a condition needs exactly one of 'is', 'not' and 'exists'")
            }
            guard let pointer, let test = equals ?? differs ?? exists else { return nil }
            return JSONCondition(pointer, test)
        }
    }
}

extension Rule where Value == JSONCondition.Value {
    fileprivate static var plainValue: Rule {
        Rule("text, a number, true, false or null") { value in
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let number): number.isFinite ? .number(number) : nil
            case .string(let text): .string(text)
            case .array, .object: nil
            }
        }
    }
}

extension JSONMapping {
    /// Reports unknown placeholders, and missing placeholders that the strategy needs.
    func checkPlaceholders(_ url: String, _ keys: inout KeyedReader) {
        var found: Set<Placeholder> = []
        let texts = [("url", url)] + query.map { ("query", $0.value.text) }
        let problems = texts.compactMap { key, text in
            problem(in: text, &found).map { (key, $0) }
        }
        for (key, problem) in problems { keys.report(about: key, problem) }
        // An invalid placeholder may be a misspelled required placeholder.
        guard problems.isEmpty else { return }
        // A response must not choose the host.
        let host = url.split { "/?".contains($0) }.dropFirst().first ?? ""
        if host.replacing("{lang}", with: "").contains("{") {
            keys.report(about: "url", "only {lang} is allowed in the host")
        }
        if let needed = [Strategy.page: Placeholder.page, .range: .from][strategy], !found.contains(needed) {
            keys.report(
                about: "url", "strategy \(quote(strategy.rawValue)) needs {\(needed.rawValue)} in 'url' or 'query'")
        }
    }

    /// Adds the placeholders of a text. Returns the error message for the first mistake; nil if there is none.
    private func problem(in text: String, _ found: inout Set<Placeholder>) -> String? {
        for piece in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = piece.firstIndex(of: "}") else { return "missing '}' after '{'" }
            let name = String(piece[..<end])
            guard let placeholder = Placeholder(rawValue: name) else {
                let all = Placeholder.allCases.map(\.rawValue)
                return "unknown placeholder \(quote("{\(name)}"))" + suggestion(for: name, among: all)
            }
            found.insert(placeholder)
        }
        return nil
    }
}
