import JokesCore

extension Rule where Value == [SourceConfiguration] {
    static var sources: Rule {
        Rule { value, keyPath, problems in
            let sources = list(of: .source).read(value, keyPath, &problems)
            problems += repeatedNames(in: value, keyPath)
            return sources
        }
    }

    /// Read from the file's own values, so that a source with another mistake in it counts as well.
    private static func repeatedNames(in value: LocatedJSON, _ keyPath: String) -> [Problem] {
        guard case .array(let elements) = value.value else { return [] }
        var first: [LocatedJSON.Value: Int] = [:]
        return elements.enumerated().compactMap { index, element in
            guard let name = element["name"] else { return nil }
            guard let earlier = first[name.value] else {
                first[name.value] = index
                return nil
            }
            return Problem(
                line: name.line, keyPath: "\(keyPath)[\(index)].name",
                message: "\(name.quoted) is the name of \(keyPath)[\(earlier)] too")
        }
    }
}

extension Rule where Value == SourceConfiguration {
    fileprivate static var source: Rule {
        .object { keys in
            let name = keys.require("name", .sourceName)
            let kind = keys.require("type", Rule<SourceKind>.oneCase("type of source"))
            var source = SourceConfiguration(name: name ?? "", kind: kind ?? .fortune)
            source.isEnabled = keys["enabled", .bool] ?? source.isEnabled
            source.interval = keys["interval", .duration(1...31_536_000)] ?? source.interval
            source.limit = keys["limit", .integer(1...1_000_000)]
            source.url = keys["url", .url]
            source.allowLocalNetwork = keys["allowLocalNetwork", .bool] ?? source.allowLocalNetwork
            source.path = keys["path", .path]
            source.isOptional = keys["optional", .bool] ?? source.isOptional
            source.language = keys["language", .language]
            source.safety = keys["safety", Rule<Safety>.oneCase("safety")]
            source.filter = keys["filter", .filter(.admitsAll)]
            guard name != nil, let kind else { return nil }
            checkPlace(of: kind, source, &keys)
            return source
        }
    }

    /// What a source reads from must be there, fit its type, and be allowed.
    private static func checkPlace(
        of kind: SourceKind, _ source: SourceConfiguration, _ keys: inout KeyedReader
    ) {
        for key in kind.foreignKeys.sorted() where keys.contains(key) {
            keys.note(about: key, "a source of type \(kind.rawValue) has no such key")
        }
        if kind.readsFile && !keys.contains("path") {
            keys.note(about: nil, "the key \(quote("path")) is missing: the file to read")
        }
        if !kind.readsFile && !source.allowLocalNetwork && source.url?.hasPrefix("http:") == true {
            keys.note(about: "url", "plain http is taken only with \"allowLocalNetwork\": true beside it")
        }
    }
}

extension SourceKind {
    fileprivate var readsFile: Bool {
        !traits.usesNetwork
    }

    /// Keys of other kinds, which would do nothing here.
    fileprivate var foreignKeys: Set<String> {
        let particular = Self.allCases.reduce(into: Set(["url", "allowLocalNetwork"])) { $0.formUnion($1.traits.keys) }
        return particular.subtracting(traits.keys).subtracting(readsFile ? [] : ["url", "allowLocalNetwork"])
    }
}

extension JokeFilter {
    /// A source's own filter begins with this: what it does not mention is for the global one to decide.
    fileprivate static let admitsAll = JokeFilter(safe: false, maxLength: nil)
}
