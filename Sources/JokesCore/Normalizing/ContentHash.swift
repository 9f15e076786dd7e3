/// Returns a hash of a joke's content, to find a changed joke with the same ID: 64 bits of a SHA-256 digest. It is the same on all
/// machines.
package func contentHash(of content: JokeContent) -> Int64 {
    let text = content.text
    // Clean texts have no control characters but line feeds, so different contents are different texts.
    let values =
        [text.setup, text.punchline, content.language, "\(content.flags.rawValue)", content.safety.rawValue]
        + content.details.values + content.categories
    let whole = values.map { $0 ?? "\u{1}" }.joined(separator: "\0")
    return SHA256.digest(of: Array(whole.utf8))[..<8].reduce(0) { $0 << 8 | Int64($1) }
}
