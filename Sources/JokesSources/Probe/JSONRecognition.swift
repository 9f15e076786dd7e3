import JSON
import JokesCore

/// The pointer to the jokes in a JSON answer, and the fields of a joke.
struct JSONRecognition {
    /// The entry of a source of type `json` with this mapping, without a name. It has a URL only if the URL must change.
    var entry = SourceEntry(.json)
    private(set) var mapping = JSONMapping()
    private(set) var notes: [String] = []

    /// The maximum depth of the list in an answer.
    private static let maxDepth = 3
    /// The maximum numbers of members of an object that are examined, and of items.
    private static let maxMembers = 20
    private static let maxItems = 1_000

    /// Values that may be the jokes.
    private struct Candidate {
        let path: [String]
        let items: [JSONValue]
        let isList: Bool
        /// Nil if the items are texts.
        let fields: JSONItemFields?

        var texts: [String] { items.compactMap(\.string) + (fields?.texts(of: items) ?? []) }

        /// The order of candidates: known names of texts, then lists with several items, then outer values, then several lists.
        var rank: (Int, Int, Int, Int) {
            let isKnown = fields?.hasKnownText ?? path.last.map(JSONItemFields.isName(ofTexts:)) ?? true
            return (isKnown ? 1 : 0, isList && items.count > 1 ? 1 : 0, -path.count, path.contains("*") ? 1 : 0)
        }
    }

    /// Nil if the answer has no jokes.
    init?(_ root: JSONValue) {
        guard let best = Self.candidates(in: root, at: []).max(by: { $0.rank < $1.rank }) else { return nil }
        if !best.path.isEmpty { entry.items = JSONPointer(steps: best.path).description }
        if let fields = best.fields {
            entry.map = fields.map
            entry.flags = fields.flags.isEmpty ? nil : fields.flags
            if fields.ratesAllSafe {
                entry.safety = Safety.unknown.rawValue
                notes.append(
                    "The service rates nearly all of these jokes safe, so jokesd does not trust the rating "
                        + "(\"safety\": \"unknown\").")
            }
        }
        if best.texts.contains(where: Self.hasMarkup) { entry.html = "strip" }
        mapping = JSONMapping(entry)
    }

    // MARK: Candidates

    private static func candidates(in value: JSONValue, at path: [String]) -> [Candidate] {
        switch value.kind {
        case .array:
            let items = Array(value.elements.prefix(maxItems))
            // Groups of jokes: objects with lists.
            let names = items.first.map(members)?.filter { $0.value.kind == .array }.map(\.name) ?? []
            let groups = names.flatMap { name in
                several(items.compactMap { $0.member(name) }, areNumbered: false, at: path + ["*", name])
            }
            return list(items, isList: true, at: path) + groups
        case .object:
            let members = members(of: value)
            let inner = path.count == maxDepth ? [] : members.flatMap { candidates(in: $0.value, at: path + [$0.name]) }
            let values = value.members.prefix(maxItems).map(\.value)
            let areNumbered = members.allSatisfy { Int($0.name) != nil }
            return list([value], isList: false, at: path) + inner
                + several(values, areNumbered: areNumbered, at: path + ["*"])
        case .string:
            // A joke within an object is found as a field of the object.
            return path.isEmpty ? list([value], isList: false, at: path) : []
        case .null, .bool, .number, .invalid: return []
        }
    }

    /// Returns the candidate of items, which are objects and texts; none if they have no jokes.
    private static func list(_ items: [JSONValue], isList: Bool, at path: [String]) -> [Candidate] {
        let objects = items.filter { $0.kind == .object }
        let texts = items.filter { $0.kind == .string }
        let fields = objects.isEmpty ? nil : JSONItemFields(of: objects)
        let areTexts = 2 * texts.count > items.count && texts.contains { $0.string.map(isSentence) == true }
        guard fields != nil || areTexts else { return [] }
        return [Candidate(path: path, items: fields == nil ? texts : objects + texts, isList: isList, fields: fields)]
    }

    /// Returns the candidate of several lists, or of the items of an object that has a key for each of them. All of them
    /// must have jokes, unless the keys are numbers.
    private static func several(_ values: [JSONValue], areNumbered: Bool, at path: [String]) -> [Candidate] {
        let parts = JSONPage.items(among: values)
        if parts.count < (areNumbered ? 1 : 2) { return [] }
        let lists = parts.map { $0.kind == .array ? Array($0.elements.prefix(max(1, maxItems / parts.count))) : [$0] }
        return list(lists.flatMap(\.self), isList: true, at: path).filter { candidate in
            areNumbered
                || lists.allSatisfy { items in
                    items.isEmpty || items.contains { $0.string.map(isSentence) == true }
                        || candidate.fields?.texts(of: items).isEmpty == false
                }
        }
    }

    static func members(of object: JSONValue) -> [(name: String, value: JSONValue)] {
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

    /// Returns whether a text may be a joke: at least 15 characters and two words, and not an address.
    static func isSentence(_ text: String) -> Bool {
        text.utf8.count >= 15 && text.contains { $0 == " " || $0.isNewline } && !text.hasPrefix("http")
    }

    private static func hasMarkup(_ text: String) -> Bool {
        ["</", "<br", "<p>", "&quot;", "&amp;", "&#", "&lt;", "&nbsp;"].contains { text.contains($0) }
    }
}

extension JSONMapping {
    /// The mapping of an entry, with valid pointers, for reading one answer.
    init(_ entry: SourceEntry) {
        self.init()
        func pointers(_ text: String?) -> [JSONPointer] { [text].compactMap { $0.flatMap { try? JSONPointer($0) } } }
        items = pointers(entry.items).first ?? items
        for field in Field.allCases { fields[field] = pointers(entry.map?[field]) }
        flags = (entry.flags ?? []).flatMap(pointers)
        isHTML = entry.html == "strip"
    }
}
