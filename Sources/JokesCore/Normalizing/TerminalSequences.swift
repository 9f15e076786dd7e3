// What a terminal acts upon instead of showing it, by ECMA-48 and by what terminals make of it.

/// Returns the index after the terminal sequence at `start`; nil if there is none.
///
/// Where a sequence is broken off, only its introducer counts, so that it takes no text with it. Each look ahead ends
/// at the next control character at the latest, so that a text full of introducers still takes linear time.
func endOfTerminalSequence(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    switch scalars[start].value {
    case 0x1B: endOfEscape(in: scalars, at: start + 1)
    case 0x9B: endOfControlSequence(in: scalars, at: start + 1)
    case 0x90, 0x98, 0x9D, 0x9E, 0x9F: endOfControlString(in: scalars, at: start + 1)
    default: nil
    }
}

/// What follows ESC: a control sequence, a control string, or intermediate bytes and a final one (ECMA-35, 13.2).
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

/// Anything up to ST (ECMA-48, 5.6) or, as xterm has it, BEL.
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
    /// C0, DEL and C1.
    var isControl: Bool {
        value < 0x20 || (0x7F..<0xA0).contains(value)
    }
}

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
