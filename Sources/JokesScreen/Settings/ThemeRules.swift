import JSON5
import Terminal
import TextLayout

/// The themes that tui.json can name.
private let themes: [String: Theme] = [
    "auto": .auto, "dark": .dark, "light": .light, "mono": .mono,
    "solarized-dark": .solarizedDark, "solarized-light": .solarizedLight,
]

extension Rule where Value == Theme {
    /// The name of a theme, or an object with colors that replace those of the theme `base`.
    static var theme: Rule {
        Rule { value, keyPath, problems in
            switch value.value {
            case .string: named.read(value, keyPath, &problems)
            case .object: changed.read(value, keyPath, &problems)
            default:
                Rule(#"the name of a theme such as "dark", or an object { … }"#) { _ in nil }
                    .read(value, keyPath, &problems)
            }
        }
    }

    private static var named: Rule {
        let name = Rule<String>.word("theme", of: Array(themes.keys))
        return Rule { value, keyPath, problems in name.read(value, keyPath, &problems).flatMap { themes[$0] } }
    }

    private static var changed: Rule {
        .object { members in
            var theme = members["base", named] ?? .auto
            for role in ColorRole.allCases where !ColorRole.names.contains(role) {
                if let color = members[role.rawValue, .color] { theme.set(role, to: color) }
            }
            if let color = members["selection", .color] { theme.setSelection(color) }
            return theme
        }
    }
}

extension Rule where Value == ThemeColor {
    /// A number of xterm's 256 colors, `#rrggbb`, or a name.
    fileprivate static var color: Rule {
        let text = Rule<String>.text.unless { text, value in
            if ThemeColor(text) != nil { return nil }
            if text.hasPrefix("#") {
                return "\(value.quoted) is not a color: write # and six hexadecimal digits, such as #5fafff"
            }
            return "unknown color \(value.quoted)"
                + suggestion(for: text, among: colorNames + ["default", "#rrggbb", "a number from 0 to 255"])
        }
        return Rule { value, keyPath, problems in
            switch value.value {
            case .number: Rule<Int>.integer(0...255).read(value, keyPath, &problems).map { .number($0) }
            case .string: text.read(value, keyPath, &problems).flatMap { ThemeColor($0) }
            default: Rule(##"a color such as "red", 215 or "#5fafff""##) { _ in nil }.read(value, keyPath, &problems)
            }
        }
    }
}

extension ThemeColor {
    /// Reads `#rrggbb`, or the name of a color.
    fileprivate init?(_ text: String) {
        let digits = text.dropFirst()
        if text == "default" {
            self = .standard
        } else if let number = colorNames.firstIndex(of: text) {
            self = .number(number)
        } else if text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
            let value = Int(digits, radix: 16)
        {
            self = .redGreenBlue(value)
        } else {
            return nil
        }
    }
}

/// The names of the first 16 colors, in their order.
private let colorNames: [String] = {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return names + names.map { "bright-\($0)" }
}()
