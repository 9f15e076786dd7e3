/// Returns the joke of a clean title and body; nil if both are empty.
///
/// Feeds use titles in three ways:
/// - If one begins with the words of the other, the longer one is the joke. The shorter one may end with a cut word and an
///   ellipsis.
/// - If the title reads as a setup (it has four words or more, or ends in a question mark, an ellipsis, a colon or a comma)
///   and the body is one paragraph of at most 280 characters, they are setup and punchline, as in Reddit's joke forums.
/// - Otherwise, the title is above the body, in one text.
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
    // A text without words, such as a row of dots, is not a joke.
    guard let last = beginningWords.popLast() else { return true }
    guard textWords.starts(with: beginningWords), textWords.count > beginningWords.count else { return false }
    let next = textWords[beginningWords.count]
    return next == last || isCutOff && next.hasPrefix(last)
}

/// Returns the words in lowercase. Symbols are words, too, because a text may have nothing else.
private func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.isPunctuation }.map { $0.lowercased() }
}
