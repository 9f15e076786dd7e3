/// A joke that has passed the normalizer: clean text, with its ID and fingerprint.
///
/// Its language and safety are those that the source states, or `und` and `unknown`. With a flag, it is unsafe.
package struct NormalizedJoke: Identifiable, Hashable, Sendable {
    package var id: JokeID
    package var content: JokeContent
    package var fingerprint: Fingerprint
    package var contentHash: Int64

    package init(id: JokeID, content: JokeContent, fingerprint: Fingerprint, contentHash: Int64) {
        (self.id, self.content, self.fingerprint, self.contentHash) = (id, content, fingerprint, contentHash)
    }
}

/// The reason that the normalizer refuses a joke.
package enum Rejection: Error, Hashable, Sendable {
    /// The clean text is empty, or has only characters that could not be decoded.
    case empty
    /// The text has more than `Normalizer.maxBytes`.
    case tooLong
}

/// Turns a fetched joke into a joke for the store. Pure.
package struct Normalizer: Sendable {
    /// The maximum of `JokeText.byteCount`: 8 KiB.
    package static let maxBytes = 8 * 1024
    /// The maximum length of a text before it is cleaned, in bytes. A longer text cannot become a joke.
    package static let maxRawBytes = 4 * maxBytes

    /// The name of the source, which is the prefix of the IDs.
    package let source: String

    package init(source: String) { self.source = source }

    /// Returns the clean joke, with its ID and fingerprint.
    package func normalize(_ fetched: FetchedJoke) throws(Rejection) -> NormalizedJoke {
        let text = try text(of: fetched)
        let flags = JokeFlags(names: fetched.flags.lazy.map { $0.lowercased() })
        let stated = JokeContent(
            text: text, language: languageTag(fetched.language) ?? "und", categories: categories(fetched.categories),
            flags: flags, safety: fetched.safety ?? .unknown, details: details(fetched.details))
        let content = SourceDefaults().applied(to: stated)
        let fingerprint = Fingerprint(of: text)
        return NormalizedJoke(
            id: id(upstream: fetched.upstreamID, fingerprint), content: content, fingerprint: fingerprint,
            contentHash: contentHash(of: content))
    }

    private func text(of fetched: FetchedJoke) throws(Rejection) -> JokeText {
        let setup = try part(fetched.setup, isHTML: fetched.isHTML)
        let punchline = try part(fetched.punchline ?? "", isHTML: fetched.isHTML)
        let text: JokeText =
            switch (isBlank(setup), isBlank(punchline)) {
            case (true, true): throw .empty
            case (false, true): .single(setup)
            case (true, false): .single(punchline)
            case (false, false): .twoPart(setup: setup, punchline: punchline)
            }
        guard text.byteCount <= Self.maxBytes else { throw .tooLong }
        return text
    }

    private func part(_ raw: String, isHTML: Bool) throws(Rejection) -> String {
        // Cleaning does not make a text this long short enough.
        guard raw.utf8.count <= Self.maxRawBytes else { throw .tooLong }
        return cleanText(isHTML ? plainText(ofHTML: raw) : raw)
    }

    /// Returns an ID from the text if the upstream has no usable ID: printable ASCII that does not begin with `~`.
    private func id(upstream: String?, _ fingerprint: Fingerprint) -> JokeID {
        guard let upstream, (1...200).contains(upstream.utf8.count), upstream.utf8.first != UInt8(ascii: "~"),
            upstream.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return JokeID(source: source, fingerprint: fingerprint) }
        return JokeID(source: source, upstream: upstream)
    }

    /// Returns a field as one line; nil if it is empty or too long.
    private func line(_ raw: String?) -> String? {
        guard let raw, raw.utf8.count <= 2048 else { return nil }
        let clean = cleanText(raw)
        if clean.isEmpty { return nil }
        guard clean.utf8.contains(0x0A) else { return clean }
        return cleanText(clean.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.joined(separator: " "))
    }

    private func details(_ raw: JokeDetails) -> JokeDetails {
        var details = JokeDetails()
        for detail in JokeDetail.allCases { details[detail] = line(raw[detail]) }
        details.url = details.url.flatMap { isWebAddress($0) ? $0 : nil }
        return details
    }

    private func categories(_ raw: [String]) -> [String] {
        raw.prefix(16).reduce(into: []) { kept, category in
            if let category = line(category), category.utf8.count <= 64, !kept.contains(category) {
                kept.append(category)
            }
        }
    }
}

/// Returns whether a clean text is empty, or has only characters that could not be decoded.
private func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" || $0.properties.isWhitespace }
}

/// Returns whether the text is a URL of http or https, and not of any other scheme, such as `javascript` or `file`.
package func isWebAddress(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
}
