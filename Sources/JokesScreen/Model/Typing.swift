import Terminal

extension String {
    /// The text of a prompt after a key, which changes its end; nil if the key types nothing.
    func edited(by key: Key) -> String? {
        switch key {
        case .character(let character): self + String(character)
        case .backspace: String(dropLast())
        case .control("u"): ""
        case .control("w"): withoutLastWord
        default: nil
        }
    }

    /// The first code points that fit into the bytes.
    func prefix(bytes limit: Int) -> String {
        var room = limit
        let kept = unicodeScalars.prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return String(kept)
    }

    /// The text without its last word, as for ^W.
    private var withoutLastWord: String {
        let end = lastIndex { !$0.isWhitespace } ?? startIndex
        let start = self[..<end].lastIndex(where: \.isWhitespace).map(index(after:)) ?? startIndex
        return String(self[..<start])
    }
}
