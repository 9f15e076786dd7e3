import TextLayout

/// The symbols that jokesctl adds to text. Jokes, JSON and the output of `--format` are UTF-8 in every locale.
enum Symbols {
    case unicode, ascii

    subscript(symbol: Character) -> String { self == .ascii ? asciiSymbol(for: symbol) ?? "?" : String(symbol) }

    /// Returns the symbols for the locale that the environment names: ASCII if its encoding is not UTF-8. Without a locale,
    /// text is UTF-8.
    static func ofLocale(_ environment: (String) -> String?) -> Symbols {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { environment($0) ?? "" }
        guard let name = names.first(where: { !$0.isEmpty }) else { return .unicode }
        // A name such as de_DE.UTF-8@euro.
        let encoding = name.lowercased().split(separator: ".").dropFirst().first?.prefix { $0 != "@" }
        return encoding == "utf-8" || encoding == "utf8" ? .unicode : .ascii
    }
}
