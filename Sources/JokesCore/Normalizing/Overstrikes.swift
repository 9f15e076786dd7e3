/// The text as a typewriter leaves it: a backspace moves back within its line, and what is struck then replaces what
/// was there. An underline changes nothing, whichever was struck first. O(n).
func withoutOverstrikes(_ text: String) -> String {
    var paper = ""
    var line: [Character] = []
    var column = 0
    for character in text {
        if character == "\u{8}" {
            column = max(column - 1, 0)
        } else if character.isNewline {
            paper.append(contentsOf: line)
            paper.append(character)
            line.removeAll(keepingCapacity: true)
            column = 0
        } else {
            if column == line.count {
                line.append(character)
            } else if character != "_" {
                line[column] = character
            }
            column += 1
        }
    }
    return paper + line
}
