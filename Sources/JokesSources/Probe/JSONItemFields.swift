import JSON
import JokesCore

/// The fields of jokes in JSON objects, recognized by their names and values.
struct JSONItemFields {
    private(set) var map = SourceEntry.Fields()
    /// The pointers to warnings.
    private(set) var flags: [String] = []
    /// True if the text of a joke has a usual name.
    private(set) var hasKnownText = true

    /// The maximum depth of a field in an item.
    private static let maxDepth = 3
    private static let maxFields = 200
    /// The maximum number of members of all items that are examined: a bound on the time.
    private static let maxVisits = 20_000

    // The usual names in lower case, without `_` and `-`; the best first.
    private static let texts = [
        "joke", "joketext", "text", "content", "contenttext", "value", "body", "message", "quote", "phrase",
        "oneliner", "description",
    ]
    private static let pairs = [
        ("setup", ["punchline", "delivery", "answer"]), ("question", ["answer", "punchline"]), ("joke", ["answer"]),
        ("joke", ["punchline"]), ("opener", ["punchline"]), ("buildup", ["punchline"]), ("q", ["a"]),
        ("title", ["punchline", "selftext"]),
    ]
    private static let ids = ["id", "_id", "uuid", "guid", "jokeid", "key", "$oid"]
    private static let languages = ["lang", "language", "locale"]
    private static let categories = ["category", "categories", "tags", "topics", "topic", "genre"]
    private static let urls = ["permalink", "url", "link", "href"]
    private static let authors = ["author", "username", "createdby", "creator"]
    private static let dates = ["date", "createdat", "created", "publishedat", "published", "timestamp", "updatedat"]
    private static let warnings = ["flags", "nsfw", "over18", "explicit", "racist", "sexist", "religious", "political"]

    /// A value with the same path in all items.
    private struct Leaf {
        let path: [String]
        var values: [JSONValue] = []

        var name: String { JSONItemFields.plain(path.last ?? "") }
        var parent: ArraySlice<String> { path.dropLast() }
        var pointer: String { JSONRecognition.pointer(path) }

        func all(_ condition: (JSONValue) -> Bool) -> Bool { !values.isEmpty && values.allSatisfy(condition) }
    }

    /// Nil if the items have no text.
    init?(of items: [JSONValue]) {
        var leaves = Leaves()
        // The number of items that were examined completely.
        let count = items.prefix { leaves.add($0) }.count
        let fields = leaves.all
        guard setTexts(fields, count: max(1, count)) else { return nil }
        map.id = first(Self.ids, fields) { leaf in
            leaf.values.count >= count && leaf.all { $0.string != nil || $0.integer(as: Int64.self) != nil }
                && Set(leaf.values.map { $0.string ?? $0.number ?? "" }).count == leaf.values.count
        }
        map.language = first(Self.languages, fields) { $0.all { languageTag($0.string) != nil } }
        map.categories = first(Self.categories, fields) { $0.all(Self.isNameOrNames) }
        map.url = first(Self.urls, fields) { $0.all { $0.string?.hasPrefix("http") == true } }
        map.author = first(Self.authors, fields) { $0.all { $0.string != nil } }
        map.date = first(Self.dates, fields) { $0.all { $0.string != nil || $0.number != nil } }
        flags = fields.filter { Self.warnings.contains($0.name) && $0.all(Self.isWarning) }.map(\.pointer)
    }

    /// Returns the texts of items, for a look at their form.
    func texts(of items: [JSONValue]) -> [String] {
        let pointers = [map.setup, map.punchline, map.text].compactMap { $0.flatMap { try? JSONPointer($0) } }
        return items.flatMap { item in pointers.compactMap { (try? $0.value(in: item))?.string } }
    }

    // MARK: Fields

    private struct Leaves {
        private(set) var all: [Leaf] = []
        private var indices: [[String]: Int] = [:]
        private var visits = 0

        /// Adds the values of an item. Returns false if there are too many.
        mutating func add(_ item: JSONValue) -> Bool {
            add(item, at: [])
            return visits <= JSONItemFields.maxVisits
        }

        /// Adds the values of an object. Values of null are left out.
        private mutating func add(_ object: JSONValue, at path: [String]) {
            for (name, value) in object.members.prefix(JSONItemFields.maxFields) {
                visits += 1
                if visits > JSONItemFields.maxVisits { return }
                guard let name = JSONRecognition.plainName(name) else { continue }
                let inner = path + [name]
                if value.isNull { continue }
                let isWarnings = value.kind == .object && JSONItemFields.warnings.contains(JSONItemFields.plain(name))
                if value.kind == .object && !isWarnings {
                    if inner.count < JSONItemFields.maxDepth { add(value, at: inner) }
                } else if let index = indices[inner] {
                    all[index].values.append(value)
                } else if all.count < JSONItemFields.maxFields {
                    indices[inner] = all.count
                    all.append(Leaf(path: inner, values: [value]))
                }
            }
        }
    }

    private static func plain(_ name: String) -> String {
        let short = name.lowercased().filter { $0 != "-" }
        return short == "_id" ? short : short.filter { $0 != "_" }
    }

    /// Returns the pointer of the field with the first of these names that fulfills a condition; an outer one first.
    private func first(_ names: [String], _ leaves: [Leaf], _ condition: (Leaf) -> Bool) -> String? {
        for name in names {
            let named = leaves.filter { $0.name == name }.sorted { $0.path.count < $1.path.count }
            if let leaf = named.first(where: condition) { return leaf.pointer }
        }
        return nil
    }

    /// Finds the texts of most of the items. Returns false if there are none.
    private mutating func setTexts(_ leaves: [Leaf], count: Int) -> Bool {
        // A few broken texts do not prevent the recognition of the other jokes.
        let texts = leaves.filter { leaf in 2 * leaf.values.count { $0.string != nil } >= leaf.values.count }
        let isUsual = { (leaf: Leaf) in 2 * leaf.values.count >= count }
        for (setup, punchlines) in Self.pairs {
            for setup in texts.filter({ $0.name == setup }) {
                let punchline = texts.first { leaf in
                    punchlines.contains(leaf.name) && leaf.parent == setup.parent
                        && 2 * leaf.values.count >= setup.values.count
                }
                guard let punchline else { continue }
                (map.setup, map.punchline) = (setup.pointer, punchline.pointer)
                // Some services have jokes with one part and with two.
                let others = texts.filter { $0.pointer != setup.pointer && $0.pointer != punchline.pointer }
                if setup.values.count < count { map.text = first(Self.texts, others) { _ in true } }
                return true
            }
        }
        // A short "message" may be a status.
        map.text = first(Self.texts, texts) { leaf in
            isUsual(leaf) && (leaf.name == "joke" || leaf.values.contains(where: Self.isSentence))
        }
        if map.text != nil { return true }
        hasKnownText = false
        let sentences = texts.filter { leaf in
            isUsual(leaf) && 2 * leaf.values.count(where: Self.isSentence) > leaf.values.count
        }
        map.text = sentences.max { Self.averageLength($0.values) < Self.averageLength($1.values) }?.pointer
        return map.text != nil
    }

    private static func isSentence(_ value: JSONValue) -> Bool {
        value.string.map(JSONRecognition.isSentence) == true
    }

    private static func averageLength(_ values: [JSONValue]) -> Int {
        values.reduce(0) { $0 + ($1.string?.utf8.count ?? 0) } / max(1, values.count)
    }

    private static func isNameOrNames(_ value: JSONValue) -> Bool {
        value.string != nil || value.kind == .array && value.elements.allSatisfy { $0.string != nil }
    }

    private static func isWarning(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .bool, .string: true
        case .array: isNameOrNames(value)
        case .object: value.members.allSatisfy { $0.value.kind == .bool || $0.value.isNull }
        case .null, .number, .invalid: false
        }
    }
}
