/// Returns the joke of a clean title and body; nil if both are empty.
///
/// Feeds use titles in three ways. Where the body begins with the title's words, or is nothing but the beginning of the
/// title, one of them is the whole joke: an ellipsis at the end of the shorter one may have cut a word. Where the title
/// reads as a setup, which is a sentence of four words or more, or one that ends in a question mark, an ellipsis, a colon
/// or a comma, and the body is one paragraph of at most 280 characters, the title is the setup and the body the
/// punchline, as in Reddit's joke forums. Anything else is one text, the title above the body.
package func jokeText(title: String, body: String) -> JokeText? {
    if body.isEmpty { return title.isEmpty ? nil : .single(title) }
    if title.isEmpty || begins(body, with: title) { return .single(body) }
    if begins(title, with: body) { return .single(title) }
    if readsAsSetup(title) && body.count <= 280 && !body.contains("\n\n") {
        return .twoPart(setup: title, punchline: body)
    }
    return .single("\(title)\n\n\(body)")
}

private func readsAsSetup(_ title: String) -> Bool {
    if let last = title.last, "?…:,".contains(last) || title.hasSuffix("...") { return true }
    return words(title).count >= 4
}

private func begins(_ text: String, with beginning: String) -> Bool {
    var beginningWords = words(beginning)
    let textWords = words(text)
    let isCutOff = beginning.hasSuffix("…") || beginning.hasSuffix("...")
    // What has no words, such as a row of dots, is no joke either.
    guard let last = beginningWords.popLast() else { return true }
    guard textWords.starts(with: beginningWords), textWords.count > beginningWords.count else { return false }
    let next = textWords[beginningWords.count]
    return next == last || isCutOff && next.hasPrefix(last)
}

/// The words in small letters, without what stands between them. Symbols, which may be all there is, are words too.
private func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.isPunctuation }.map { $0.lowercased() }
}
