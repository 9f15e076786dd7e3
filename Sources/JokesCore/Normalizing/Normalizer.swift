/// A joke as an upstream sent it: nothing about it is believed yet.
package struct FetchedJoke: Hashable, Sendable {
    /// The upstream's id where it lasts; nil where it has none, or one that is only a position.
    package var upstreamID: String?
    /// The whole joke, or what comes before the pause.
    package var setup: String
    package var punchline: String?
    package var language: String?
    package var categories: [String]
    /// The upstream's warnings; names that are none of ours are passed over.
    package var flags: [String]
    package var safety: Safety?
    package var url: String?
    package var author: String?
    package var date: String?

    package init(
        upstreamID: String? = nil, setup: String, punchline: String? = nil, language: String? = nil,
        categories: [String] = [], flags: [String] = [], safety: Safety? = nil, url: String? = nil,
        author: String? = nil, date: String? = nil
    ) {
        self.upstreamID = upstreamID
        self.setup = setup
        self.punchline = punchline
        self.language = language
        self.categories = categories
        self.flags = flags
        self.safety = safety
        self.url = url
        self.author = author
        self.date = date
    }
}

/// A joke that has passed the normaliser: clean, with the id and the fingerprint that follow from it.
package struct NormalizedJoke: Identifiable, Hashable, Sendable {
    package let id: JokeID
    package var content: JokeContent
    package var fingerprint: Fingerprint
    package var contentHash: ContentHash

    package init(id: JokeID, content: JokeContent, fingerprint: Fingerprint, contentHash: ContentHash) {
        self.id = id
        self.content = content
        self.fingerprint = fingerprint
        self.contentHash = contentHash
    }
}

/// Why the normaliser refuses a joke.
package enum Rejection: Error, Hashable, Sendable {
    /// Nothing is left of the text once it is clean.
    case empty
    /// More than `Normalizer.maximumBytes` of text.
    case tooLong
}

/// Turns what a source fetched into what the store keeps. Pure.
package struct Normalizer: Sendable {
    /// A joke's text in all its parts has at most 8 KiB of UTF-8.
    package static let maximumBytes = 8 * 1024

    /// The source's name, which leads the ids.
    package let source: String
    /// What counts where the upstream does not say.
    package let language: String
    package let safety: Safety

    package init(source: String, language: String = "und", safety: Safety = .unknown) {
        self.source = source
        self.language = language
        self.safety = safety
    }

    /// The clean joke, with its id and fingerprint.
    ///
    /// - Throws: `Rejection` where nothing, or too much, is left of it.
    package func normalize(_ fetched: FetchedJoke) throws(Rejection) -> NormalizedJoke {
        let text = try text(of: fetched)
        let flags = JokeFlags(names: fetched.flags.map { $0.lowercased() })
        let content = JokeContent(
            text: text,
            language: languageTag(fetched.language) ?? language,
            categories: categories(fetched.categories),
            flags: flags,
            // A flag speaks louder than a mark: real upstreams mark flagged jokes as safe.
            safety: flags.isEmpty ? fetched.safety ?? safety : .unsafe,
            url: line(fetched.url), author: line(fetched.author), upstreamDate: line(fetched.date))
        let fingerprint = Fingerprint(of: text, language: content.language)
        return NormalizedJoke(
            id: id(upstream: fetched.upstreamID, fingerprint), content: content, fingerprint: fingerprint,
            contentHash: ContentHash(of: content))
    }

    private func text(of fetched: FetchedJoke) throws(Rejection) -> JokeText {
        // Cleaning never makes text longer, and an answer may hold megabytes of it.
        let setupIsBearable = fetched.setup.utf8.count <= 4 * Self.maximumBytes
        let punchlineIsBearable = (fetched.punchline?.utf8.count ?? 0) <= 4 * Self.maximumBytes
        guard setupIsBearable && punchlineIsBearable else { throw .tooLong }
        let setup = cleanText(fetched.setup)
        let punchline = cleanText(fetched.punchline ?? "")
        let text: JokeText =
            switch (setup.isEmpty, punchline.isEmpty) {
            case (true, true): throw .empty
            case (false, true): .single(setup)
            case (true, false): .single(punchline)
            case (false, false): .twoPart(setup: setup, punchline: punchline)
            }
        guard text.byteCount <= Self.maximumBytes else { throw .tooLong }
        return text
    }

    private func id(upstream: String?, _ fingerprint: Fingerprint) -> JokeID {
        // An id is typed, printed and completed by shells: one that cannot be is no better than none.
        guard let upstream, (1...200).contains(upstream.utf8.count),
            upstream.unicodeScalars.allSatisfy({ $0.properties.isPatternWhitespace == false && $0.isPrintable })
        else { return JokeID(source: source, fingerprint: fingerprint) }
        return JokeID(source: source, upstream: upstream)
    }

    private func line(_ raw: String?) -> String? {
        guard let raw, raw.utf8.count <= 2048 else { return nil }
        let clean = cleanText(raw).split(separator: "\n").joined(separator: " ")
        return clean.isEmpty ? nil : clean
    }

    private func categories(_ raw: [String]) -> [String] {
        var seen: Set<String> = []
        return raw.prefix(16).compactMap(line).filter { $0.utf8.count <= 64 && seen.insert($0).inserted }
    }
}

/// The tag in its usual case, `pt-BR`; nil where it is not shaped like BCP 47.
package func languageTag(_ raw: String?) -> String? {
    guard let raw, raw.utf8.count <= 35 else { return nil }
    let parts = raw.split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let first = parts.first, (2...3).contains(first.count),
        parts.allSatisfy({ $0.count <= 8 && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }),
        first.utf8.allSatisfy({ !(0x30...0x39).contains($0) })
    else { return nil }
    let rest = parts.dropFirst().map { part in
        switch part.count {
        case 2: part.uppercased()
        case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
        default: part.lowercased()
        }
    }
    return ([first.lowercased()] + rest).joined(separator: "-")
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// False for what a terminal or a shell would not show as itself.
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}
