import JSON5
import JokesCore

extension Rule where Value == [SourceConfiguration] {
    static var sources: Rule {
        Rule { value, keyPath, problems in
            let sources = list(of: .source).read(value, keyPath, &problems)
            problems += repeatedNames(in: value, keyPath)
            return sources
        }
    }

    /// Returns a problem for each name that an earlier source has. Sources with other mistakes count too.
    private static func repeatedNames(in value: LocatedJSON, _ keyPath: String) -> [Problem] {
        guard case .array(let elements) = value.value else { return [] }
        var first: [String: Int] = [:]
        return elements.enumerated().compactMap { index, element in
            guard let name = element["name"], let text = name.string else { return nil }
            guard let earlier = first[text] else {
                first[text] = index
                return nil
            }
            return Problem(
                line: name.line, keyPath: "\(keyPath)[\(index)].name",
                message: "name \(name.quoted) is already used by \(keyPath)[\(earlier)]")
        }
    }
}

extension Rule where Value == SourceConfiguration {
    fileprivate static var source: Rule {
        .object { keys in
            let name = keys.require("name", .sourceName)
            let kind = keys.require("type", Rule<SourceKind>.oneCase("source type"))
            var source = SourceConfiguration(name: name ?? "", kind: kind ?? .fortune)
            reportKeysOfOtherKinds(of: kind, &keys)
            source.isEnabled = keys["enabled", .bool] ?? source.isEnabled
            source.interval = keys["interval", .duration(1...31_536_000)] ?? source.interval
            source.limit = keys["limit", .integer(1...1_000_000)]
            source.url = keys["url", .url]
            source.allowLocalNetwork = keys["allowLocalNetwork", .bool] ?? source.allowLocalNetwork
            source.rate = keys["rate", .rate]
            source.path = keys["path", .path]
            source.isOptional = keys["optional", .bool] ?? source.isOptional
            source.languages = keys["languages", .list(of: .language)] ?? source.languages
            source.categories = keys["categories", .list(of: .category)] ?? source.categories
            source.token = keys["token", .secret]
            source.headers = keys["headers", .headers] ?? source.headers
            source.auth = keys["auth", .secret]
            source.language = keys["language", .language]
            source.safety = keys["safety", Rule<Safety>.oneCase("safety")]
            source.skipsTitles = keys["titles", .word("use of titles", of: ["keep", "skip"])] == "skip"
            // Missing keys of a source's filter restrict nothing. The global filter still applies.
            source.filter = keys["filter", .filter(JokeFilter(safe: false, maxLength: nil))]
            guard let kind else { return nil }
            checkLocation(of: kind, source, &keys)
            if kind == .json {
                let mapping = JSONMapping(&keys)
                source.json = mapping
                if source.path != nil && mapping.strategy != .whole {
                    keys.report(about: "strategy", "a file has all jokes: leave out 'strategy'")
                }
                if let url = source.url { mapping.checkPlaceholders(url, &keys) }
            }
            return name == nil ? nil : source
        }
    }

    /// Reports keys of other source types, which would have no effect.
    private static func reportKeysOfOtherKinds(of kind: SourceKind?, _ keys: inout KeyedReader) {
        let allSpecificKeys = SourceKind.allCases.reduce(into: Set<String>()) { $0.formUnion($1.specificKeys) }
        for key in allSpecificKeys.subtracting(kind?.specificKeys ?? []).sorted() where keys.ignore(key) {
            if let kind { keys.report(about: key, "does not apply to source type \(quote(kind.rawValue))") }
        }
    }

    /// Reports a missing path, URL or token, and a plain http URL that is not allowed.
    private static func checkLocation(of kind: SourceKind, _ source: SourceConfiguration, _ keys: inout KeyedReader) {
        switch kind.traits.origin {
        case .file: keys.reportIfMissing("path", "the file or folder to read")
        case .anyURL where !keys.contains("path"): keys.reportIfMissing("url", "the address to fetch")
        case .anyURL where keys.contains("url"): keys.report(about: "path", "has no effect with 'url': use one of them")
        default: break
        }
        if kind.traits.keys.contains("token") {
            keys.reportIfMissing("token", #"the secret: write "@file:/path/to/file" or "@credential:name""#)
        }
        if !source.allowLocalNetwork && source.url?.hasPrefix("http:") == true {
            keys.report(about: "url", #"use https, or set "allowLocalNetwork": true if you trust the network"#)
        }
    }
}

extension Rule where Value == RequestRate {
    fileprivate static var rate: Rule {
        .object { keys in
            let requests = keys.require("requests", .integer(1...1_000_000))
            let per = keys.require("per", .duration(1...31_536_000))
            guard let requests, let per else { return nil }
            return RequestRate(requests: requests, per: per)
        }
    }
}

extension SourceKind {
    /// The keys of this source type that some other types do not have.
    fileprivate var specificKeys: Set<String> {
        traits.origin == .file
            ? traits.keys : traits.keys.union(["url", "allowLocalNetwork", "rate", "headers", "auth"])
    }
}
