import JokesCore

extension Printer {
    func list(_ found: [FoundJoke], query: String) throws {
        let idColumns = idColumns(of: found.map(\.joke.id))
        for joke in found {
            try row(joke.joke.id, snippet(joke), starred: joke.joke.isStarred, idColumns: idColumns)
        }
        guard found.isEmpty else { return }
        let hasWord = query.split(whereSeparator: \.isWhitespace).contains { word in
            !word.hasPrefix("-") && word.contains { $0.isLetter || $0.isNumber }
        }
        try remark(
            hasWord
                ? "No shown joke has all these words. Search for fewer or shorter words."
                : "The search has no word to find. Add a word that does not begin with '-'.")
    }

    /// Where a joke says what was searched for, with that marked.
    private func snippet(_ found: FoundJoke) -> StyledText {
        let (part, bytes) = (found.snippet.part, found.snippet.bytes)
        let text = found.joke.content.text
        func piece(_ start: Int, _ end: Int) -> String {
            inOneLine(text[TextStretch(part, start..<end)] ?? "")
        }
        var line: StyledText = bytes.lowerBound > 0 || part == .punchline ? "… " : ""
        var end = bytes.lowerBound
        for mark in found.marks.filter({ $0.part == part }).map(\.bytes)
        where mark.lowerBound >= end && mark.upperBound <= bytes.upperBound {
            let marked = styled(piece(mark.lowerBound, mark.upperBound), .bold)
            line = "\(line)\(piece(end, mark.lowerBound))\(marked)"
            end = mark.upperBound
        }
        let isCut = bytes.upperBound < text[part].utf8.count
        return "\(line)\(piece(end, bytes.upperBound))\(isCut ? " …" : "")"
    }

    /// With a space for each line's end: what is around a mark keeps its white space.
    private func inOneLine(_ text: Substring) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
