/// A hash of a joke's content, to find a changed joke with the same ID.
package struct ContentHash: Hashable, Sendable {
    /// 64 bits of a SHA-256 digest, as a number for the store.
    package let value: Int64

    package init(value: Int64) { self.value = value }

    /// Computes the hash of a content. It is the same on all machines.
    package init(of content: JokeContent) {
        let text = content.text
        // Clean texts have no control characters but line feeds, so different contents are different texts.
        let values =
            [text.setup, text.punchline, content.language, "\(content.flags.rawValue)", content.safety.rawValue]
            + content.details.values + content.categories
        let whole = values.map { $0 ?? "\u{1}" }.joined(separator: "\0")
        let digest = SHA256.digest(of: Array(whole.utf8))
        value = digest[..<8].reduce(0) { $0 << 8 | Int64($1) }
    }
}
