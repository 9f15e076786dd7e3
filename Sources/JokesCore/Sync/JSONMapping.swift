package import JSON

/// The requests of a source of type `json`, and where its answers have the jokes.
package struct JSONMapping: Hashable, Sendable {
    /// How to get all jokes of a service.
    package enum Strategy: String, CaseIterable, Sendable {
        /// One answer has all jokes.
        case whole
        /// Numbered pages.
        case page
        /// Ranges of IDs or positions.
        case range
        /// Each answer has the cursor or URL of the next one.
        case cursor
        /// Each answer has random jokes.
        case random
    }

    /// How to split a text into setup and punchline.
    package enum Split: String, CaseIterable, Sendable {
        case none
        /// After the last question mark outside of quotation marks that is followed by text.
        case question
        /// After the first line.
        case newline
    }

    /// A placeholder in the URL and in values of the query.
    package enum Placeholder: String, CaseIterable, Sendable {
        case limit, page, from, to, cursor
        case language = "lang"
    }

    /// A field of a joke, with its key of `map` in the configuration.
    package enum Field: Int, CaseIterable, CodingKey, Sendable {
        case id, setup, punchline
        /// The whole text; used if there is no setup.
        case text
        case language, categories, url, author, date
        /// A rating: true for a safe joke.
        case safe
    }

    // Requests.
    package var query: [SentField] = []
    package var strategy = Strategy.whole
    /// The value of `{limit}`, and the size of a range.
    package var size = 50
    /// The number of the first page, or the start of the first range.
    package var first = 1
    /// The pointer to the number of pages.
    package var pages: JSONPointer?
    /// The pointer to the number of jokes.
    package var total: JSONPointer?
    /// The pointer to the next value of `{cursor}`, or of the next URL.
    package var next: JSONPointer?

    // Answers.
    /// The pointer to the items, or to the only one. With a `*`, to several lists or to several items.
    package var items = JSONPointer.whole
    /// The pointers to a joke's fields in an item. The first one with a value counts.
    package var fields: FieldTable<[JSONPointer]> = [:]
    /// The pointers to the warnings. All of them count.
    package var flags: [JSONPointer] = []
    /// The flags by their lowercase names in the answers. Other names are not flags. Nil if every name is a flag.
    package var flagNames: [String: String]?
    /// An answer that fulfills one of these is an error.
    package var error: [JSONCondition] = []
    /// An answer that fulfills one of these has no jokes, without an error.
    package var empty: [JSONCondition] = []
    package var split = Split.none
    /// True if the texts are HTML.
    package var isHTML = false

    package init() {}
}

/// Values of some fields of a joke. Unlike a dictionary, it has a description that is always the same, for the signature
/// of requests.
package struct FieldTable<Value: Hashable & Sendable>: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private var values = [Value?](repeating: nil, count: JSONMapping.Field.allCases.count)

    package init(dictionaryLiteral elements: (JSONMapping.Field, Value)...) {
        for (field, value) in elements { self[field] = value }
    }

    package subscript(field: JSONMapping.Field) -> Value? {
        get { values[field.rawValue] }
        set { values[field.rawValue] = newValue }
    }
}

extension FieldTable: Encodable where Value == String {
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: JSONMapping.Field.self)
        for field in JSONMapping.Field.allCases { try fields.encodeIfPresent(self[field], forKey: field) }
    }
}

/// A condition of an answer.
package struct JSONCondition: Hashable, Sendable {
    /// A value to compare with.
    package enum Value: Hashable, Sendable {
        /// Also equal to a missing value.
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
    }

    package enum Test: Hashable, Sendable {
        case equals(Value)
        case differs(Value)
    }

    package var pointer: JSONPointer
    package var test: Test

    package init(_ pointer: JSONPointer, _ test: Test) {
        (self.pointer, self.test) = (pointer, test)
    }
}
