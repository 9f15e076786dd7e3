import JSON5
import JokesCore

/// Checks the placeholders of a source of type `json`: none is unknown, and none that the strategy needs is missing.
struct PlaceholderCheck {
    private let mapping: JSONMapping
    private let hasLanguages: Bool
    private var found: Set<JSONMapping.Placeholder> = []

    init(_ mapping: JSONMapping, hasLanguages: Bool) {
        self.mapping = mapping
        self.hasLanguages = hasLanguages
    }

    /// Reports the mistakes in the placeholders of a source.
    mutating func run(url: String, _ keys: inout KeyedReader) {
        let texts = [("url", url)] + mapping.query.map { ("query", $0.value.text) }
        let complaints = texts.compactMap { key, text in take(text).map { (key, $0) } }
        for (key, complaint) in complaints { keys.note(about: key, complaint) }
        // A wrong placeholder may be a missing one with a typing error.
        guard complaints.isEmpty else { return }
        if let complaint = complaintAboutHost(of: url) { keys.note(about: "url", complaint) }
        for needed in mapping.strategy.needed where !found.contains(needed) {
            keys.note(
                about: "url",
                "strategy \(quote(mapping.strategy.rawValue)) needs \(needed.inBraces) in 'url' or 'query'")
        }
        if hasLanguages && !found.contains(.language) {
            keys.note(about: "languages", "has no effect without {lang} in 'url' or 'query'")
        }
        if keys.contains("size") && mapping.strategy != .range && !found.contains(.limit) {
            keys.note(about: "size", "has no effect without {limit} in 'url' or 'query'")
        }
    }

    /// Records the placeholders of a text. Returns the first mistake; nil if there is none.
    private mutating func take(_ text: String) -> String? {
        for piece in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = piece.firstIndex(of: "}") else { return "missing '}' after '{'" }
            let name = String(piece[..<end])
            guard let placeholder = JSONMapping.Placeholder(rawValue: name) else {
                let all = JSONMapping.Placeholder.allCases.map(\.rawValue)
                return "unknown placeholder \(quote("{\(name)}"))" + suggestion(for: name, among: all)
            }
            if placeholder == .language && !hasLanguages {
                return "{lang} needs at least one language in 'languages'"
            }
            guard placeholder == .language || mapping.strategy.known.contains(placeholder) else {
                return "strategy \(quote(mapping.strategy.rawValue)) does not support \(placeholder.inBraces)"
            }
            found.insert(placeholder)
        }
        return nil
    }

    /// Returns a mistake if an answer could choose the host of the next request.
    private func complaintAboutHost(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let host = parts.count > 2 ? parts[2].replacing("{lang}", with: "") : ""
        return host.contains("{") ? "only {lang} is allowed in the host" : nil
    }
}

extension JSONMapping.Strategy {
    fileprivate var known: Set<JSONMapping.Placeholder> {
        switch self {
        case .whole, .random: [.limit]
        case .page: [.limit, .page]
        case .range: [.limit, .from, .to]
        case .cursor: [.limit, .cursor]
        }
    }

    fileprivate var needed: [JSONMapping.Placeholder] {
        switch self {
        case .whole, .random, .cursor: []
        case .page: [.page]
        case .range: [.from]
        }
    }
}

extension JSONMapping.Placeholder {
    fileprivate var inBraces: String { "{\(rawValue)}" }
}
