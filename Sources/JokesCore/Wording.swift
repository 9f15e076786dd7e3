/// Returns a sentence without its period, for use after a colon.
package func phrase(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
}

/// Returns a sentence as it follows a colon: without a capital at the start or a period at the end. `JSON` keeps its capitals.
package func clause(of sentence: String) -> String {
    let open = phrase(sentence)
    guard let first = open.first, open.dropFirst().first?.isUppercase != true else { return open }
    return first.lowercased() + open.dropFirst()
}

/// Returns a number with its noun: `1 joke`, `12 jokes`.
package func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Returns the words of a text, separated by one space.
package func oneLine(_ text: String) -> String {
    text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
}
