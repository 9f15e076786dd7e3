/// Returns the joke of a clean title and body; nil if both are empty.
///
/// Feeds use titles in three ways:
/// - If one begins with the words of the other, the longer one is the joke. The shorter one may end with a cut word and an
///   ellipsis. `Why?` does not begin `Why not.`, and a body of one or two words is a punchline.
/// - If the title reads as a setup (it has four words or more, or ends in a question mark, an ellipsis, a colon or a comma)
///   and the body is one paragraph of at most 280 characters, they are setup and punchline, as in Reddit's joke forums.
/// - Otherwise, the title is above the body, in one text.
package func jokeText(title: String, body: String) -> JokeText? {
    if body.isEmpty { return title.isEmpty ? nil : .single(title) }
    if title.isEmpty || begins(body, with: title) && !isAnswered(title, by: body) { return .single(body) }
    if begins(title, with: body) && (isCutOff(body) || words(body).count > 2) { return .single(title) }
    if readsAsSetup(title) && body.count <= 280 && !body.contains("\n\n") {
        return .twoPart(setup: title, punchline: body)
    }
    return .single("\(title)\n\n\(body)")
}

private func readsAsSetup(_ title: String) -> Bool {
    if let last = title.last, "?…:,".contains(last) || title.hasSuffix("...") { return true }
    return words(title).count >= 4
}

/// Returns whether a body that begins with the words of a short question is its answer.
private func isAnswered(_ title: String, by body: String) -> Bool {
    let count = words(title).count
    return title.last == "?" && count <= 2 && words(body).count > count && !body.hasPrefix(title)
}

private func isCutOff(_ text: String) -> Bool { text.hasSuffix("…") || text.hasSuffix("...") }

private func begins(_ text: String, with beginning: String) -> Bool {
    var beginningWords = words(beginning)
    let textWords = words(text)
    // A text without words, such as a row of dots, is not a joke.
    guard let last = beginningWords.popLast() else { return true }
    guard textWords.starts(with: beginningWords), textWords.count > beginningWords.count else { return false }
    let next = textWords[beginningWords.count]
    return next == last || isCutOff(beginning) && next.hasPrefix(last)
}

/// Returns the words in lowercase. Symbols are words, too, because a text may have nothing else.
private func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.isPunctuation }.map { $0.lowercased() }
}
