import JSON
import JokesCore

/// The pointer to the jokes in a JSON answer, and the fields of a joke.
struct JSONRecognition {
    /// The entry of a source of type `json` with this mapping, without a name and without a URL.
    private(set) var entry = SourceEntry(.json)
    private(set) var mapping = JSONMapping()
    private(set) var notes: [String] = []

    /// The maximum depth of the list in an answer.
    private static let maxDepth = 3
    /// The maximum numbers of members of an object that are examined, and of items.
    private static let maxMembers = 20
    private static let maxItems = 1_000

    /// A value that may be the list of jokes, or the only joke.
    private struct Candidate {
        let path: [String]
        let items: [JSONValue]
        let isList: Bool
        /// Nil if the items are texts.
        let fields: JSONItemFields?

        /// The order of candidates: known names of texts, then lists with several items, then outer values.
        var rank: (Int, Int, Int) {
            (fields?.hasKnownText == true ? 1 : 0, isList && items.count > 1 ? 1 : 0, -path.count)
        }
    }

    /// Nil if the answer has no jokes. `isRandom` is true if the service says that it returns random jokes.
    init?(_ root: JSONValue, isRandom: Bool) {
        guard let best = Self.candidates(in: root, at: []).max(by: { $0.rank < $1.rank }) else { return nil }
        if !best.path.isEmpty { entry.items = Self.pointer(best.path) }
        if let fields = best.fields {
            entry.map = fields.map
            entry.flags = fields.flags.isEmpty ? nil : fields.flags
        }
        let texts = best.fields?.texts(of: best.items) ?? best.items.compactMap(\.string)
        if texts.contains(where: Self.hasMarkup) { entry.html = "strip" }
        if best.items.count == 1 || isRandom {
            entry.strategy = JSONMapping.Strategy.random.rawValue
            let what = best.items.count == 1 ? "The answer has one joke" : "The address is of random jokes"
            notes.append("\(what), so each sync sends several requests for random jokes (\"strategy\": \"random\").")
        } else if Self.hasMore(root, than: best.items.count) {
            notes.append(
                "The service may have more pages. To read them, set \"strategy\": see jokesd.json(5), Type json.")
        }
        mapping = JSONMapping(entry)
    }

    /// Returns whether the answer is an object with a key for each item.
    static func hasKeyedItems(_ root: JSONValue) -> Bool {
        let members = Array(root.members.prefix(maxMembers))
        let areNumbered = members.allSatisfy { name, _ in name.string.map { Int($0) != nil } == true }
        return members.count > 2 && (areNumbered || members.allSatisfy { $0.value.kind == .object })
    }

    // MARK: Candidates

    private static func candidates(in value: JSONValue, at path: [String]) -> [Candidate] {
        switch value.kind {
        case .array:
            let items = Array(value.elements.prefix(maxItems))
            let texts = items.compactMap(\.string)
            if !items.isEmpty && texts.count == items.count {
                return texts.contains(where: isSentence)
                    ? [Candidate(path: path, items: items, isList: true, fields: nil)] : []
            }
            return candidate(items.filter { $0.kind == .object }, isList: true, at: path)
        case .object:
            let inner =
                path.count == maxDepth
                ? []
                : members(of: value).flatMap { name, member in
                    candidates(in: member, at: path + [name])
                }
            // One of several items is not the only joke.
            return hasKeyedItems(value)
                ? inner.filter(\.isList) : candidate([value], isList: false, at: path) + inner
        case .string:
            // A joke within an object is found as a field of the object.
            guard path.isEmpty, value.string.map(isSentence) == true else { return [] }
            return [Candidate(path: [], items: [value], isList: false, fields: nil)]
        case .null, .bool, .number, .invalid: return []
        }
    }

    private static func candidate(_ items: [JSONValue], isList: Bool, at path: [String]) -> [Candidate] {
        guard !items.isEmpty, let fields = JSONItemFields(of: items) else { return [] }
        return [Candidate(path: path, items: items, isList: isList, fields: fields)]
    }

    private static func members(of object: JSONValue) -> [(name: String, value: JSONValue)] {
        object.members.prefix(maxMembers).compactMap { name, value in plainName(name).map { ($0, value) } }
    }

    /// Returns the name of a member for a pointer; nil if it is long, or has characters that are not visible in the
    /// configuration.
    static func plainName(_ name: JSONValue) -> String? {
        guard let text = name.string, text.utf8.count <= 100 else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        return isPlain ? text : nil
    }

    // MARK: Texts

    static func pointer(_ path: [String]) -> String {
        path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// Returns whether a text may be a joke: at least 15 characters and two words, and not an address.
    static func isSentence(_ text: String) -> Bool {
        text.utf8.count >= 15 && text.contains { $0 == " " || $0.isNewline } && !text.hasPrefix("http")
    }

    private static func hasMarkup(_ text: String) -> Bool {
        ["</", "<br", "<p>", "&quot;", "&amp;", "&#", "&lt;", "&nbsp;"].contains { text.contains($0) }
    }

    /// Returns whether the answer states a next page, or more items than it has.
    private static func hasMore(_ root: JSONValue, than count: Int) -> Bool {
        members(of: root).contains { name, value in
            switch name.lowercased() {
            case "next", "next_page", "nextpage", "next_url", "next_cursor", "after":
                value.string?.isEmpty == false || value.number != nil
            case "total", "count", "total_count", "totalcount", "total_results", "total_jokes":
                value.integer(as: Int.self).map { $0 > count } ?? false
            case "pages", "total_pages", "totalpages": value.integer(as: Int.self).map { $0 > 1 } ?? false
            default: false
            }
        }
    }
}

extension JSONMapping {
    /// The mapping of an entry, with valid pointers.
    fileprivate init(_ entry: SourceEntry) {
        self.init()
        func pointers(_ text: String?) -> [JSONPointer] { [text].compactMap { $0.flatMap { try? JSONPointer($0) } } }
        strategy = entry.strategy.flatMap(Strategy.init(rawValue:)) ?? strategy
        items = pointers(entry.items).first ?? items
        let map = entry.map ?? SourceEntry.Fields()
        fields.id = pointers(map.id)
        fields.setup = pointers(map.setup)
        fields.punchline = pointers(map.punchline)
        fields.text = pointers(map.text)
        fields.language = pointers(map.language)
        fields.categories = pointers(map.categories)
        fields.url = pointers(map.url)
        fields.author = pointers(map.author)
        fields.date = pointers(map.date)
        flags = (entry.flags ?? []).flatMap(pointers)
        isHTML = entry.html == "strip"
    }
}
