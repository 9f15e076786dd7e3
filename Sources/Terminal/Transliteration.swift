import CNcurses
import Glibc
package import TextLayout
import Unix

/// Sets the character encoding of the C library to UTF-8. Returns false if the environment names another encoding: then only
/// ASCII must be written.
package func adoptLocale() -> Bool {
    let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (environment($0) ?? "").isEmpty }
    // A locale that is not installed says nothing about the terminal.
    let isUTF8 = isUnset || setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
    setlocale(LC_CTYPE, "C.UTF-8")
    return isUTF8
}

/// Returns the form of a character in ASCII: a symbol, or the form of iconv(3), such as `e` for `\u{E9}`; else `?`. The
/// rules for accents need the locale of `adoptLocale`.
package func asciiForm(of character: Character) -> String {
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
    /// The line in ASCII, with the same columns. A longer form takes the place of blanks between the character and the next
    /// rule, or is cut off.
    package var ascii: Line {
        let characters = spans.flatMap { span in span.text.map { ($0, span.style) } }
        var forms = characters.map { asciiForm(of: $0.0) }
        var blanks: [Int] = []
        for index in forms.indices.reversed() {
            let (columns, growth) = (characters[index].0.columns, forms[index].utf8.count - characters[index].0.columns)
            if forms[index] == " ", index > 0, forms[index - 1] == " " { blanks.append(index) }
            if forms[index] == "|" { blanks = [] }
            let taken = growth > blanks.count ? 0 : max(0, growth)
            forms[index] = forms[index].prefix(columns + taken) + String(repeating: " ", count: max(0, -growth))
            for blank in blanks.suffix(taken) { forms[blank] = "" }
            blanks.removeLast(taken)
        }
        return Line(zip(forms, characters).map { Span($0, $1.1) })
    }
}
