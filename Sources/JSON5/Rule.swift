/// Converts a located value to a typed one, or reports problems.
package struct Rule<Value> {
    package typealias Problem = ConfigurationError.Problem

    /// Returns the typed value; nil if a problem was reported.
    package let read: (_ value: LocatedJSON, _ keyPath: String, _ problems: inout [Problem]) -> Value?

    package init(read: @escaping (LocatedJSON, String, inout [Problem]) -> Value?) { self.read = read }

    /// A rule for a value of one type, such as "a whole number". `convert` returns nil for a value of another type.
    package init(_ expectation: String, convert: @escaping (LocatedJSON.Value) -> Value?) {
        self.init { value, keyPath, problems in
            let converted = convert(value.value)
            if converted == nil {
                let message = "expected \(expectation), found \(value.quoted)"
                problems.append(Problem(line: value.line, keyPath: keyPath, message: message))
            }
            return converted
        }
    }

    /// Returns the rule with a condition: `problem` returns the message for an invalid value, and nil for a valid one.
    package func unless(_ problem: @escaping (Value, LocatedJSON) -> String?) -> Rule {
        Rule { value, keyPath, problems in
            guard let read = read(value, keyPath, &problems) else { return nil }
            guard let message = problem(read, value) else { return read }
            problems.append(Problem(line: value.line, keyPath: keyPath, message: message))
            return nil
        }
    }
}

// MARK: Plain values

extension Rule where Value == Bool {
    package static var bool: Rule {
        Rule("true or false") { if case .bool(let value) = $0 { value } else { nil } }
    }
}

extension Rule where Value == Int {
    package static func integer(_ range: ClosedRange<Int>) -> Rule {
        Rule("a whole number") { if case .number(let number) = $0 { Int(exactly: number) } else { nil } }
            .unless { number, value in
                range.contains(number)
                    ? nil : "\(value.quoted) is not between \(range.lowerBound) and \(range.upperBound)"
            }
    }
}

extension Rule where Value == String {
    package static var text: Rule {
        Rule("text in quotes") { if case .string(let text) = $0 { text } else { nil } }
    }

    /// One of several words. The message for another word suggests a similar one.
    package static func word(_ kind: String, of words: [String]) -> Rule {
        text.unless { word, value in
            words.contains(word) ? nil : "unknown \(kind) \(value.quoted)" + suggestion(for: word, among: words)
        }
    }
}

extension Rule where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the cases, by its raw value.
    package static func oneCase(_ kind: String) -> Rule {
        let word = Rule<String>.word(kind, of: Value.allCases.map(\.rawValue))
        return Rule { value, keyPath, problems in word.read(value, keyPath, &problems).flatMap(Value.init(rawValue:)) }
    }
}

// MARK: Lists and objects

extension Rule {
    /// A list of values. Invalid ones are left out.
    package static func list<Element>(of element: Rule<Element>) -> Rule where Value == [Element] {
        Rule { value, keyPath, problems in
            let elements = Rule<[LocatedJSON]>("a list") { if case .array(let list) = $0 { list } else { nil } }
            return elements.read(value, keyPath, &problems)?.enumerated().compactMap { index, value in
                element.read(value, "\(keyPath)[\(index)]", &problems)
            }
        }
    }

    /// A value, or a list of values that is not empty.
    package static func oneOrMore<Element>(of element: Rule<Element>) -> Rule where Value == [Element] {
        Rule { value, keyPath, problems in
            guard case .array(let list) = value.value else {
                return element.read(value, keyPath, &problems).map { [$0] }
            }
            if list.isEmpty {
                problems.append(Problem(line: value.line, keyPath: keyPath, message: "the list is empty"))
            }
            return Rule.list(of: element).read(value, keyPath, &problems)
        }
    }

    /// An object with any keys. Members for which `read` returns nil are left out.
    package static func members<Element>(
        _ read: @escaping (_ member: LocatedJSON.Member, _ keyPath: String, _ problems: inout [Problem]) -> Element?
    ) -> Rule where Value == [Element] {
        anyObject { members, reader, problems in
            // Those of duplicate keys.
            problems += reader.problems
            return members.compactMap { read($0, reader.path(to: $0.key), &problems) }
        }
    }

    /// An object with known keys, which `read` reads. Other keys are problems.
    package static func object(_ read: @escaping (inout KeyedReader) -> Value?) -> Rule {
        anyObject { _, reader, problems in
            defer { problems += reader.allProblems }
            return read(&reader)
        }
    }

    private static func anyObject(
        _ read: @escaping ([LocatedJSON.Member], inout KeyedReader, inout [Problem]) -> Value?
    ) -> Rule {
        Rule { value, keyPath, problems in
            let object = Rule<[LocatedJSON.Member]>("an object { … }") {
                if case .object(let members) = $0 { members } else { nil }
            }
            guard let members = object.read(value, keyPath, &problems) else { return nil }
            var reader = KeyedReader(members, line: value.line, keyPath: keyPath)
            return read(members, &reader, &problems)
        }
    }
}
