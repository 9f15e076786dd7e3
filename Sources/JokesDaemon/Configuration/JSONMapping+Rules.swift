import JSON
import JSON5
import JokesCore

/// The keys of a source of type `json` that other sources do not have.
extension JSONMapping {
    init(_ keys: inout KeyedReader) {
        self.init()
        headers = keys["headers", .headers] ?? headers
        query = keys["query", .query] ?? query
        strategy = keys["strategy", Rule<Strategy>.oneCase("strategy")] ?? strategy
        size = keys["size", .integer(1...10_000)] ?? size
        first = keys["first", .integer(0...1_000_000_000)] ?? (strategy == .range ? 0 : 1)
        pages = keys["pages", .pointer]
        total = keys["total", .pointer]
        next = keys["next", .pointer]
        items = keys["items", .pointer] ?? items
        fields = keys["map", .fields] ?? fields
        flags = keys["flags", .oneOrMore(of: .pointerWithStar)] ?? flags
        error = keys["error", .oneOrMore(of: .condition)] ?? error
        empty = keys["empty", .oneOrMore(of: .condition)] ?? empty
        split = keys["split", Rule<Split>.oneCase("split mode")] ?? split
        isHTML = keys["html", .word("HTML mode", of: ["keep", "strip"])] == "strip"
        checkStrategy(&keys)
    }

    /// Reports keys that have no effect with the strategy, and a key that it needs.
    private func checkStrategy(_ keys: inout KeyedReader) {
        let meaning: [(key: String, strategies: [Strategy])] = [
            ("first", [.page, .range]), ("pages", [.page]), ("total", [.page, .range]), ("next", [.cursor]),
        ]
        for (key, strategies) in meaning where keys.contains(key) && !strategies.contains(strategy) {
            let fitting = strategies.map { quote($0.rawValue) }.joined(separator: " or ")
            keys.note(
                about: key, "has no effect with strategy \(quote(strategy.rawValue)): use strategy \(fitting)")
        }
        if strategy == .cursor && !keys.contains("next") {
            keys.note(about: nil, "missing key 'next' (a JSON Pointer to the next cursor or URL)")
        }
    }
}

extension Rule where Value == JSONMapping.Fields {
    fileprivate static var fields: Rule {
        .object { keys in
            let places = Rule<[JSONPointer]>.oneOrMore(of: .pointerWithStar)
            var fields = JSONMapping.Fields()
            fields.id = keys["id", places] ?? []
            fields.setup = keys["setup", places] ?? []
            fields.punchline = keys["punchline", places] ?? []
            fields.text = keys["text", places] ?? []
            fields.language = keys["language", places] ?? []
            fields.categories = keys["categories", places] ?? []
            fields.url = keys["url", places] ?? []
            fields.author = keys["author", places] ?? []
            fields.date = keys["date", places] ?? []
            if !keys.contains("text") && !keys.contains("setup") {
                keys.note(
                    about: nil, #"missing key 'text': write "text": "/joke", or "setup" and "punchline""#)
            }
            return fields
        }
    }
}

extension Rule where Value == JSONPointer {
    /// A pointer to one value.
    static var pointer: Rule {
        pointerWithStar.unless { pointer, value in
            pointer.hasStar ? "invalid JSON Pointer \(value.quoted): * is not allowed here" : nil
        }
    }

    /// A pointer that may have one `*`, for all elements of a list.
    static var pointerWithStar: Rule {
        Rule { value, keyPath, problems in
            func note(_ message: String) -> JSONPointer? {
                problems.append(Problem(line: value.line, keyPath: keyPath, message: message))
                return nil
            }
            guard case .string(let text) = value.value else {
                return note(#"expected a JSON Pointer such as "/data/0/joke", found \#(value.quoted)"#)
            }
            do throws(JSONPointer.Malformed) {
                return try JSONPointer(text)
            } catch {
                return switch error {
                case .noSlash: note("invalid JSON Pointer \(value.quoted): did you mean \(quote("/" + text))?")
                case .badEscape:
                    note("invalid JSON Pointer \(value.quoted): write ~0 for ~ and ~1 for / in a name")
                case .secondStar: note("invalid JSON Pointer \(value.quoted): use * at most once")
                }
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
            let exists = keys["exists", .bool].map(JSONCondition.Test.exists)
            if tests.count != 1 {
                keys.note(about: nil, "a condition needs exactly one of 'is', 'not' and 'exists'")
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

extension Rule where Value == [SentField] {
    fileprivate static var headers: Rule {
        [SentField].rule(name: complaintAboutHeader(named:)) { name in
            .sent(as: name) { text in
                text.utf8.count <= 1000 && text.utf8.allSatisfy { $0 == 0x20 || $0.isGraphic }
                    ? nil : "use at most 1000 printable ASCII characters"
            }
        }
    }

    fileprivate static var query: Rule {
        [SentField].rule { name in
            (1...100).contains(name.utf8.count) ? nil : "a field name must have 1 to 100 bytes"
        } value: { name in
            .sent(as: name) { $0.utf8.count <= 1000 ? nil : "the value is longer than 1000 bytes" }
        }
    }
}

private func complaintAboutHeader(named name: String) -> String? {
    let ours: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since", "if-none-match",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    if ours.contains(name.lowercased()) { return "jokesd sets this header: remove it" }
    let isToken =
        (1...100).contains(name.utf8.count)
        && name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
        }
    return isToken ? nil : "invalid header name: use 1 to 100 characters of a-z, 0-9, -, _ and ."
}
