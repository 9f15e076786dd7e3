import JSON
import JokesCore

/// The fields of jokes in JSON objects, recognized by their names and values.
struct JSONItemFields {
    private(set) var map: FieldTable<String> = [:]
    /// The pointers to warnings.
    private(set) var flags: [String] = []
    /// True if the text of a joke has a usual name.
    private(set) var hasKnownText = true
    /// True if hardly any joke is rated unsafe, although the jokes have ratings.
    private(set) var ratesAllSafe = false

    /// The maximum depth of a field in an item.
    private static let maxDepth = 3
    private static let maxFields = 200
    /// The maximum number of members of all items that are examined: a bound on the time.
    private static let maxVisits = 20_000

    // The usual names as `plain` returns them; the best first.
    private static let jokes = names(
        "joke jokes blague witz chiste barzelletta battuta piada anedota grap mop dowcip kawal zart vtip fikra saka vits"
    )
    private static let texts =
        jokes
        + names(
            """
            text texto texte testo tekst content contenttext contenido contenu contenuto conteudo inhalt tresc \
            value body message quote phrase oneliner description
            """)
    private static let setups =
        names(
            """
            setup question frage pregunta domanda pergunta vraag pytanie soru fraga sporsmal otazka opener buildup riddle \
            devinette ratsel acertijo indovinello adivinanza adivinha raadsel zagadka premise q
            """) + texts + ["title"]
    private static let punchlines = names(
        """
        punchline delivery answer antwort reponse respuesta risposta resposta antwoord odpowiedz cevap svar odpoved \
        solution losung auflosung solucion soluzione solucao oplossing rozwiazanie pointe chute reply selftext a
        """)
    private static let ids = names("id uuid guid key $oid")
    private static let languages = names("lang language locale")
    private static let categories = names("category categories tags topics topic genre")
    private static let urls = names("permalink url link href")
    private static let authors = names("author username createdby creator")
    private static let dates = names("date createdat created publishedat published timestamp updatedat")
    private static let warnings = names(
        "flags nsfw isnsfw over18 explicit isexplicit adult offensive racist sexist religious political")
    private static let ratings = names("safe issafe sfw issfw familyfriendly")

    private static func names(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }

    /// A value with the same path in all items.
    private struct Leaf {
        let path: [String]
        /// The last name as `plain` returns it.
        let name: String
        var values: [JSONValue] = []

        var parent: ArraySlice<String> { path.dropLast() }
        var pointer: String { JSONPointer(steps: path).description }

        /// Returns the pointer to another member of the same object.
        func pointer(beside name: String) -> String { JSONPointer(steps: parent + [name]).description }

        /// Returns whether most values fulfill a condition. A field costs no joke if the others are of another shape.
        func mostly(_ condition: (JSONValue) -> Bool) -> Bool { 2 * values.count(where: condition) > values.count }
    }

    /// Nil if the items have no text.
    init?(of items: [JSONValue]) {
        var leaves = Leaves()
        // The number of items that were examined completely.
        let count = items.prefix { leaves.add($0) }.count
        let fields = leaves.all
        guard setTexts(fields, count: max(1, count)) else { return nil }
        map[.id] =
            first(Self.ids, fields) { leaf in
                leaf.values.count >= count
                    && leaf.values.allSatisfy { $0.string != nil || $0.integer(as: Int64.self) != nil }
                    && Set(leaf.values.map { $0.string ?? $0.number ?? "" }).count == leaf.values.count
            }?.pointer
        map[.language] = first(Self.languages, fields) { $0.mostly { languageTag($0.string) != nil } }?.pointer
        map[.categories] = first(Self.categories, fields) { $0.mostly(Self.isNameOrNames) }?.pointer
        map[.url] = first(Self.urls, fields) { $0.mostly { $0.string?.hasPrefix("http") == true } }?.pointer
        map[.author] = first(Self.authors, fields) { $0.mostly { $0.string != nil } }?.pointer
        map[.date] = first(Self.dates, fields) { $0.mostly { $0.string != nil || $0.number != nil } }?.pointer
        flags = fields.filter { Self.warnings.contains($0.name) && $0.mostly(Self.isWarning) }.map(\.pointer)
        if let rating = first(Self.ratings, fields, where: { $0.mostly { $0.truth != nil } }) {
            map[.safe] = rating.pointer
            ratesAllSafe = 20 * rating.values.count { $0.truth == false } < rating.values.count
        }
    }

    /// Returns the texts of items, for a look at their form.
    func texts(of items: some Sequence<JSONValue>) -> [String] {
        let pointers = [map[.setup], map[.punchline], map[.text]].compactMap { $0.flatMap { try? JSONPointer($0) } }
        return items.flatMap { item in pointers.compactMap { (try? $0.value(in: item))?.string } }
    }

    /// Returns whether the name is one that texts of jokes have, also in the plural.
    static func isName(ofTexts name: String) -> Bool {
        let name = plain(name)
        return texts.contains(name) || name.last == "s" && texts.contains(String(name.dropLast()))
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

        /// Adds the values of an object. Null and empty texts are left out.
        private mutating func add(_ object: JSONValue, at path: [String]) {
            for (name, value) in object.members.prefix(JSONItemFields.maxFields) {
                visits += 1
                if visits > JSONItemFields.maxVisits { return }
                guard let name = JSONRecognition.plainName(name) else { continue }
                let inner = path + [name]
                if value.isNull || value.isString("") { continue }
                let isWarnings = value.kind == .object && JSONItemFields.warnings.contains(JSONItemFields.plain(name))
                if value.kind == .object && !isWarnings {
                    if inner.count < JSONItemFields.maxDepth { add(value, at: inner) }
                } else if let index = indices[inner] {
                    all[index].values.append(value)
                } else if all.count < JSONItemFields.maxFields {
                    indices[inner] = all.count
                    all.append(Leaf(path: inner, name: JSONItemFields.plain(name), values: [value]))
                }
            }
        }
    }

    private static let accents = Dictionary(
        uniqueKeysWithValues: zip(
            "áàâãäåéèêëíìîïóòôõöøúùûüçćčñńśšşźżžłęąřýıß", "aaaaaaeeeeiiiioooooouuuucccnnssszzzlearyis"))

    /// Returns a name in lower case, without accents, `_`, `-` and spaces, and without `joke` before another word.
    static func plain(_ name: String) -> String {
        let letters = name.lowercased().filter { !"_- ".contains($0) }.map { accents[$0] ?? $0 }
        return String(letters.starts(with: "joke") && letters.count > 5 ? letters[4...] : letters[...])
    }

    /// Returns the field with the first of these names that fulfills a condition; an outer one first.
    private func first(_ names: [String], _ leaves: [Leaf], where condition: (Leaf) -> Bool) -> Leaf? {
        for name in names {
            let named = leaves.filter { $0.name == name }.sorted { $0.path.count < $1.path.count }
            if let leaf = named.first(where: condition) { return leaf }
        }
        return nil
    }

    /// Finds the texts of most of the items. Returns false if there are none.
    private mutating func setTexts(_ leaves: [Leaf], count: Int) -> Bool {
        // A few broken texts do not prevent the recognition of the other jokes.
        let texts = leaves.filter { leaf in 2 * leaf.values.count { $0.string != nil } >= leaf.values.count }
        let isUsual = { (leaf: Leaf) in 2 * leaf.values.count >= count }
        if let kind = leaves.first(where: Self.isNumberOfParts) {
            // The answer may have only one of the two shapes.
            (map[.setup], map[.punchline]) = (kind.pointer(beside: "setup"), kind.pointer(beside: "delivery"))
            map[.text] = kind.pointer(beside: "joke")
            return texts.contains { [map[.setup], map[.text]].contains($0.pointer) }
        }
        for setup in Self.setups.lazy.flatMap({ name in texts.filter { $0.name == name } }) {
            let punchline = texts.first { leaf in
                let isBody = setup.name == "title" && leaf.name == "body" && Self.averageLength(setup.values) >= 30
                return leaf.parent == setup.parent && (isBody || Self.punchlines.contains(leaf.name))
                    && leaf.path != setup.path && 4 * leaf.values.count >= setup.values.count
            }
            guard let punchline else { continue }
            (map[.setup], map[.punchline]) = (setup.pointer, punchline.pointer)
            // Some services have jokes with one part and with two.
            let others = texts.filter { $0.pointer != setup.pointer && $0.pointer != punchline.pointer }
            if setup.values.count < count { map[.text] = first(Self.texts, others) { _ in true }?.pointer }
            return true
        }
        // A short "message" may be a status.
        map[.text] =
            first(Self.texts, texts) { leaf in
                isUsual(leaf) && (Self.jokes.contains(leaf.name) || leaf.values.contains(where: Self.isSentence))
            }?.pointer
        if map[.text] != nil { return true }
        hasKnownText = false
        let sentences = texts.filter { leaf in
            isUsual(leaf) && 2 * leaf.values.count(where: Self.isSentence) > leaf.values.count
        }
        map[.text] = sentences.max { Self.averageLength($0.values) < Self.averageLength($1.values) }?.pointer
        return map[.text] != nil
    }

    private static func isSentence(_ value: JSONValue) -> Bool {
        value.string.map(JSONRecognition.isSentence) == true
    }

    /// Returns whether the field is the `type` of JokeAPI and its relatives.
    private static func isNumberOfParts(_ leaf: Leaf) -> Bool {
        leaf.name == "type" && leaf.mostly { $0.isString("single") || $0.isString("twopart") }
    }

    private static func averageLength(_ values: [JSONValue]) -> Int {
        values.reduce(0) { $0 + ($1.string?.utf8.count ?? 0) } / max(1, values.count)
    }

    private static func isNameOrNames(_ value: JSONValue) -> Bool {
        value.string != nil || value.kind == .array && value.elements.allSatisfy { $0.string != nil }
    }

    private static func isWarning(_ value: JSONValue) -> Bool {
        value.truth != nil || isNameOrNames(value)
            || value.kind == .object && value.members.allSatisfy { $0.value.truth != nil || $0.value.isNull }
    }
}
