/// Lines that fill in: on a terminal each is written anew in its place for as long as it lasts, elsewhere only what it
/// says in the end is written. Pure: the answers are what to write.
///
/// Lines that are done stand above those that still fill in, in the order in which they were done, at their whole
/// length; no line that is written anew is longer than the terminal is wide, so that each is one row of it.
package struct LiveLines: Sendable {
    private var filling: [(key: String, text: String)] = []
    /// Of the terminal; nil where there is none.
    private let columns: Int?

    /// - Parameter columns: How wide the terminal is; nil where the lines go somewhere else.
    package init(columns: Int?) {
        self.columns = columns
    }

    /// What a line says by now: printable ASCII, one column a character.
    package mutating func update(_ key: String, to text: String) -> String {
        guard let columns else { return "" }
        let line = String(text.prefix(max(columns - 1, 0)))
        let erasure = self.erasure
        if let index = filling.firstIndex(where: { $0.key == key }) {
            filling[index].text = line
        } else {
            filling.append((key, line))
        }
        return erasure + fillingText
    }

    /// What a line says in the end: clean text of any length.
    package mutating func finish(_ key: String, with text: String) -> String {
        let erasure = self.erasure
        filling.removeAll { $0.key == key }
        return "\(erasure)\(text)\n\(fillingText)"
    }

    /// Back to the beginning of the first line that fills in, and everything below it erased.
    private var erasure: String {
        filling.isEmpty ? "" : "\u{1B}[\(filling.count)A\r\u{1B}[J"
    }

    private var fillingText: String {
        filling.map { "\($0.text)\n" }.joined()
    }
}
