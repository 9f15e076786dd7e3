/// Returns a symbol of an interface in ASCII; nil for other characters.
package func asciiSymbol(for character: Character) -> String? {
    switch character {
    case "\u{2605}", "\u{25CF}": "*"
    case "\u{2606}", "\u{B7}", "\u{2014}": "-"
    case "\u{2022}", "\u{256D}", "\u{256E}", "\u{2570}", "\u{256F}": "+"
    case "\u{25CB}": "o"
    case "\u{2192}": "->"
    case "\u{25B8}": ">"
    case "\u{25BE}", "\u{2193}": "v"
    case "\u{2191}": "^"
    case "\u{2026}": "..."
    case "\u{2588}", "\u{2590}": "#"
    default: nil
    }
}
