import CNcurses
import Glibc
package import TextLayout
import Unix

/// The characters that a terminal shows.
package enum Repertoire: Hashable, Sendable {
    case unicode
    /// Those of the usual fonts of the Linux console: code page 437, and Lat15 of setfont(8).
    case console
    case ascii

    /// Returns the character, or a form of it that the terminal shows.
    package func form(of character: Character) -> String {
        switch self {
        case .unicode: String(character)
        case .console: consoleForm(of: character) ?? asciiForm(of: character)
        case .ascii: asciiForm(of: character)
        }
    }
}

/// Sets the character encoding of the C library to UTF-8. Returns the characters that may be written: ASCII if the
/// environment names another encoding.
package func adoptLocale(terminal: String? = nil) -> Repertoire {
    let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (environment($0) ?? "").isEmpty }
    // A locale that is not installed says nothing about the terminal.
    let isUTF8 = isUnset || setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
    setlocale(LC_CTYPE, "C.UTF-8")
    if !isUTF8 { return .ascii }
    return isLinuxConsole(terminal ?? environment("TERM") ?? "") ? .console : .unicode
}

/// Returns whether the value of TERM is that of the Linux console.
func isLinuxConsole(_ terminal: String) -> Bool { terminal == "linux" || terminal.hasPrefix("linux-") }

/// Returns a character or symbol in the fonts of the Linux console; nil if there is none.
private func consoleForm(of character: Character) -> String? {
    guard character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first else { return nil }
    return switch scalar {
    case "\u{256D}": "\u{250C}"
    case "\u{256E}": "\u{2510}"
    case "\u{2570}": "\u{2514}"
    case "\u{256F}": "\u{2518}"
    case "\u{2590}": "\u{2588}"
    // Latin-1, the bullet, arrows, rules and the full block.
    case "\u{A1}"..."\u{FF}", "\u{2022}", "\u{2190}"..."\u{2193}", "\u{2500}", "\u{2502}", "\u{250C}", "\u{2510}",
        "\u{2514}", "\u{2518}", "\u{251C}", "\u{2524}", "\u{252C}", "\u{2534}", "\u{2588}":
        String(character)
    default: nil
    }
}

/// Returns the form of a character in ASCII: a symbol, or the form of iconv(3), such as `e` for `\u{E9}`; else `?`. The
/// rules for accents need the locale of `adoptLocale`.
private func asciiForm(of character: Character) -> String {
    if let form = character.isASCII ? String(character) : asciiSymbol(for: character) { return form }
    guard let tables = iconv_open("ASCII//TRANSLIT", "UTF-8"), tables != iconv_t(bitPattern: -1) else { return "?" }
    defer { iconv_close(tables) }
    return String(character.unicodeScalars.prefix(1)).withCString { text in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { form in
            var (source, left) = (UnsafeMutablePointer?(UnsafeMutablePointer(mutating: text)), strlen(text) + 1)
            var (target, room) = (form.baseAddress, form.count)
            let isConverted = iconv(tables, &source, &left, &target, &room) != -1
            return form.baseAddress.flatMap { isConverted ? String(cString: $0) : nil } ?? "?"
        }
    }
}

extension Line {
    /// Returns the line in the characters of a terminal, with the same columns. A longer form takes the place of blanks
    /// between the character and the next rule, or is cut off.
    package func written(in repertoire: Repertoire) -> Line {
        if repertoire == .unicode { return self }
        let characters = spans.flatMap { span in span.text.map { ($0, span.style) } }
        var forms = characters.map { repertoire.form(of: $0.0) }
        var blanks: [Int] = []
        for index in forms.indices.reversed() {
            let (columns, growth) = (characters[index].0.columns, forms[index].columns - characters[index].0.columns)
            if forms[index] == " ", index > 0, forms[index - 1] == " " { blanks.append(index) }
            if forms[index] == "|" || forms[index] == "\u{2502}" { blanks = [] }
            let taken = growth > blanks.count ? 0 : max(0, growth)
            forms[index] = forms[index].prefix(columns + taken) + String(repeating: " ", count: max(0, -growth))
            for blank in blanks.suffix(taken) { forms[blank] = "" }
            blanks.removeLast(taken)
        }
        return Line(zip(forms, characters).map { Span($0, $1.1) })
    }
}
