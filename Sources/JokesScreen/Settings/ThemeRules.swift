import JSON5
import Terminal
import TextLayout

/// The themes that tui.json can name.
private enum ThemeName: String, CaseIterable {
    case auto, dark, light, mono
    case solarizedDark = "solarized-dark"
    case solarizedLight = "solarized-light"
}

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
        Rule { value, keyPath, problems in
            switch Rule<ThemeName>.oneCase("theme").read(value, keyPath, &problems) {
            case .auto: .auto
            case .dark: .dark
            case .light: .light
            case .mono: .mono
            case .solarizedDark: .solarizedDark
            case .solarizedLight: .solarizedLight
            case nil: nil
            }
        }
    }

    private static var changed: Rule {
        .object { members in
            var theme = members["base", named] ?? .auto
            for role in ColorRole.allCases {
                if let color = members[role.name, .color] { theme.set(role, to: color) }
            }
            if let color = members["selection", .color] { theme.setSelection(color) }
            return theme
        }
    }
}

extension ColorRole {
    /// The key in tui.json.
    var name: String {
        switch self {
        case .plain: "text"
        case .heading: "heading"
        case .accent: "accent"
        case .muted: "muted"
        case .frame: "frame"
        case .good: "good"
        case .warning: "warning"
        case .bad: "bad"
        }
    }
}

extension Rule where Value == ThemeColor {
    /// A number of xterm's 256 colors, `#rrggbb`, or a name.
    fileprivate static var color: Rule {
        Rule { value, keyPath, problems in
            switch value.value {
            case .number: Rule<Int>.integer(0...255).read(value, keyPath, &problems).map { .number($0) }
            case .string(let text) where text.hasPrefix("#"): hexadecimal.read(value, keyPath, &problems)
            case .string: named.read(value, keyPath, &problems)
            default: Rule(##"a color such as "red", 215 or "#5fafff""##) { _ in nil }.read(value, keyPath, &problems)
            }
        }
    }

    private static var hexadecimal: Rule {
        Rule { value, keyPath, problems in
            guard case .string(let text) = value.value else { return nil }
            let digits = text.dropFirst()
            if digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let number = Int(digits, radix: 16) {
                return .redGreenBlue(number)
            }
            let words = "\(value.quoted) is not a color: write # and six hexadecimal digits, such as #5fafff"
            problems.append(Problem(line: value.line, keyPath: keyPath, message: words))
            return nil
        }
    }

    private static var named: Rule {
        let name = Rule<String>.text.unless { name, value in
            if name == "default" || colorNames.contains(name) { return nil }
            return "unknown color \(value.quoted)"
                + suggestion(for: name, among: colorNames + ["default", "#rrggbb", "a number from 0 to 255"])
        }
        return Rule { value, keyPath, problems in
            name.read(value, keyPath, &problems).map { name in
                colorNames.firstIndex(of: name).map { .number($0) } ?? .standard
            }
        }
    }
}

/// The names of the first 16 colors, in their order.
private let colorNames: [String] = {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return names + names.map { "bright-\($0)" }
}()
