import JokesCore

/// Returns the clean text of HTML in UTF-8, without what programs add around a post. The inner value is nil if there is no
/// text; the outer one if the text is too long for a joke, without its tags.
func feedText(ofHTML html: [UInt8], mayBeEscapedTwice: Bool = true) -> String?? {
    guard let text = plainText(ofHTML: posted(html), atMost: Normalizer.maxRawBytes) else { return .none }
    return feedText(text, mayBeHTML: mayBeEscapedTwice)
}

/// Returns the clean text of plain text. A text that begins and ends with a tag is HTML that was escaped once too often, if
/// there is a text between the tags.
func feedText(_ text: String, mayBeHTML: Bool = true) -> String?? {
    let clean = cleanText(text)
    let isHTML = mayBeHTML && clean.first == "<" && clean.last == ">"
    let text = isHTML ? cleanText(plainText(ofHTML: clean)).nonEmpty ?? clean : clean
    return .some(withoutBoilerplate(text).nonEmpty)
}

/// Returns the part of the HTML that a person wrote, if Reddit marks it.
private func posted(_ html: [UInt8]) -> [UInt8] {
    guard html.contains(UInt8(ascii: "<")), let start = html.firstRange(of: Array("<!-- SC_OFF -->".utf8))?.upperBound,
        let end = html[start...].firstRange(of: Array("<!-- SC_ON -->".utf8))?.lowerBound
    else { return html }
    return Array(html[start..<end])
}

/// Removes what Reddit, Lemmy and WordPress write about a post, and Reddit's mark for a text that is gone.
private func withoutBoilerplate(_ text: String) -> String {
    // These are in all of them. Most texts have none, and lines and words take much longer to find.
    let lastLine = text.utf8.lastIndex(of: UInt8(ascii: "\n")).map { text[$0...].dropFirst() } ?? text[...]
    guard
        text.utf8.contains(UInt8(ascii: "[")) || text.hasPrefix("submitted by ") || lastLine.hasPrefix("The post ")
    else { return text }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let words = { (line: Substring) in line.split(whereSeparator: \.isWhitespace) }
    // `submitted by /u/ada [link] [comments]` at the end, also on two lines.
    if let start = lines.lastIndex(where: { words($0).starts(with: ["submitted", "by"]) }),
        words(lines[start]).dropFirst(2).first?.hasPrefix("/u/") == true,
        let last = words(lines[lines.count - 1]).last, last == "[comments]" || last == "[link]"
    {
        lines.removeSubrange(start...)
    }
    // `submitted by ada to jokes` at the beginning, the points, and the link of the post.
    if lines.count > 1, words(lines[0]).starts(with: ["submitted", "by"]), words(lines[0]).contains("to"),
        words(lines[1]).last == "comments"
    {
        lines.removeFirst(2)
        if lines.first?.hasPrefix("http") == true { lines.removeFirst() }
    }
    // `The post Title appeared first on Site.` at the end.
    if let last = lines.last, last.hasPrefix("The post "), last.contains(" appeared first on ") { lines.removeLast() }
    let posted = lines.joined(separator: "\n")
    return ["[removed]", "[deleted]"].contains(posted) ? "" : cleanText(posted)
}
