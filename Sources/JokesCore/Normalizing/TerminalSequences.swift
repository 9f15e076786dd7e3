/// Returns the index after the terminal sequence (ECMA-48) at `start`; nil if there is none.
///
/// Of an incomplete sequence, only the introducer counts, so that no text is removed. A search ends at the next control
/// character, so that a text full of introducers takes linear time.
func endOfTerminalSequence(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    switch scalars[start].value {
    case 0x1B: endOfEscape(in: scalars, at: start + 1)
    // Without parameters, it is rather a quotation mark of windows-1252.
    case 0x9B where start + 1 < scalars.count && (0x30...0x3F).contains(scalars[start + 1].value):
        endOfControlSequence(in: scalars, at: start + 1)
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F: endOfControlString(in: scalars, at: start + 1)
    default: nil
    }
}

/// The rest after ESC: a control sequence, a control string, or intermediate bytes and a final one (ECMA-35, 13.2).
private func endOfEscape(in scalars: [Unicode.Scalar], at start: Int) -> Int {
    guard start < scalars.count else { return start }
    switch scalars[start] {
    case "[": return endOfControlSequence(in: scalars, at: start + 1)
    case "]", "P", "X", "^", "_": return endOfControlString(in: scalars, at: start + 1)
    default:
        let final = skip(0x20...0x2F, in: scalars, from: start)
        return final < scalars.count && (0x30...0x7E).contains(scalars[final].value) ? final + 1 : start
    }
}

/// Parameters, intermediate bytes and a final one (ECMA-48, 5.4).
private func endOfControlSequence(in scalars: [Unicode.Scalar], at start: Int) -> Int {
    let final = skip(0x20...0x2F, in: scalars, from: skip(0x30...0x3F, in: scalars, from: start))
    return final < scalars.count && (0x40...0x7E).contains(scalars[final].value) ? final + 1 : start
}

/// Everything up to ST (ECMA-48, 5.6), or BEL, as in xterm.
private func endOfControlString(in scalars: [Unicode.Scalar], at start: Int) -> Int {
    guard let end = scalars[start...].firstIndex(where: \.isControl) else { return start }
    switch scalars[end].value {
    case 0x07, 0x9C: return end + 1
    case 0x1B where end + 1 < scalars.count && scalars[end + 1] == "\\": return end + 2
    default: return start
    }
}

private func skip(_ values: ClosedRange<UInt32>, in scalars: [Unicode.Scalar], from start: Int) -> Int {
    scalars[start...].firstIndex { !values.contains($0.value) } ?? scalars.count
}

extension Unicode.Scalar {
    /// True if it is in C0 or C1, or DEL.
    var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}

/// Resolves the overstrikes of a fortune file: `x`, backspace, `x`. A backspace moves back within its line, and the next
/// character replaces the one there. An underline changes nothing, before or after the other character. O(n)
package func withoutOverstrikes(_ text: String) -> String {
    guard text.utf8.contains(0x08) else { return text }
    var done = ""
    var line: [Character] = []
    var column = 0
    for character in text {
        if character == "\u{8}" {
            column = max(column - 1, 0)
        } else if character.isNewline {
            done.append(contentsOf: line + [character])
            (line, column) = ([], 0)
        } else {
            if column == line.count {
                line.append(character)
            } else if character != "_" {
                line[column] = character
            }
            column += 1
        }
    }
    return done + line
}
