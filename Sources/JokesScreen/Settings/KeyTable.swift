package import Terminal

package enum Action: String, Hashable, Sendable, CaseIterable {
    case down, up, halfPageDown, halfPageUp, pageDown, pageUp, first, last, section
    case search, nextFound, previousFound, nextUnseen
    case reveal, open, close, fold
    case star, note, hide, undo
    case refresh, refreshSource
    case random, sources, toggleSource, testSource
    case filters, clearFilters, hidden
    case details, detailsDown, detailsUp
    case wrap
    case copy, openURL
    case help, redraw, suspend, quit
}

extension Action {
    /// A subject of the help.
    enum Group: String, CaseIterable {
        case program = "Program"
        case moving = "Moving"
        case searching = "Searching"
        case jokes = "Jokes"
        case pages = "Sources and pages"
    }

    var group: Group {
        switch self {
        case .help, .redraw, .suspend, .quit: .program
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last, .section, .nextUnseen,
            .fold:
            .moving
        case .search, .nextFound, .previousFound: .searching
        case .reveal, .open, .close, .star, .note, .hide, .undo, .copy, .openURL, .wrap: .jokes
        case .random, .filters, .clearFilters, .hidden, .details, .detailsDown, .detailsUp: .pages
        case .sources, .toggleSource, .testSource, .refresh, .refreshSource: .pages
        }
    }
}

/// The keys of each action. The help is made from this table.
package struct KeyTable: Hashable, Sendable {
    package struct Binding: Hashable, Sendable {
        package let action: Action
        /// The help shows the first ones.
        package let keys: [Key]
        package let summary: String

        package init(_ action: Action, _ keys: [Key], _ summary: String) {
            self.action = action
            self.keys = keys
            self.summary = summary
        }
    }

    /// In the order of the help.
    package let bindings: [Binding]

    package init(_ bindings: [Binding]) { self.bindings = bindings }

    package func action(for key: Key) -> Action? { bindings.first { $0.keys.contains(key) }?.action }

    /// The key of an action in messages; the name of the action if it has no key.
    func name(of action: Action) -> String {
        bindings.first { $0.action == action }?.keys.first?.name ?? action.rawValue
    }

    /// The section of a key: a digit, else the position among the keys of `section`.
    func section(of key: Key) -> Int {
        if case .character(let digit) = key, digit.isASCII, let number = digit.wholeNumberValue { return number }
        return (bindings.first { $0.action == .section }?.keys.firstIndex(of: key) ?? 0) + 1
    }

    /// The keys as in vi and less.
    package static let standard = KeyTable([
        Binding(.help, [.character("?"), .function(1)], "this help"),
        Binding(.quit, [.character("q"), .control("c")], "back, or quit"),
        Binding(.suspend, [.control("z")], "suspend (fg resumes)"),
        Binding(.redraw, [.control("l")], "redraw the screen"),
        Binding(.down, [.character("j"), .down, .control("n")], "next row"),
        Binding(.up, [.character("k"), .up, .control("p")], "previous row"),
        Binding(.halfPageDown, [.control("d")], "half a page down"),
        Binding(.halfPageUp, [.control("u")], "half a page up"),
        Binding(.pageDown, [.pageDown, .control("f")], "page down"),
        Binding(.pageUp, [.pageUp, .control("b")], "page up"),
        Binding(.first, [.character("g"), .home], "first row"),
        Binding(.last, [.character("G"), .end], "last row"),
        Binding(.section, "123456789".map { .character($0) }, "go to that section"),
        Binding(.nextUnseen, [.character("]")], "next unseen joke"),
        Binding(.fold, [.tab], "fold or unfold section"),
        Binding(.search, [.character("/")], "search (Esc cancels)"),
        Binding(.nextFound, [.character("n")], "next match"),
        Binding(.previousFound, [.character("N")], "previous match"),
        Binding(.reveal, [.character(" "), .enter], "toggle punchline, open"),
        Binding(.open, [.character("l"), .right], "show punchline, open"),
        Binding(.close, [.character("h"), .left], "hide punchline, close"),
        Binding(.star, [.character("f")], "add or remove favorite"),
        Binding(.note, [.character("e")], "edit favorite's note"),
        Binding(.hide, [.character("H")], "hide the joke"),
        Binding(.undo, [.character("u")], "undo the last change"),
        Binding(.copy, [.character("y")], "copy to the clipboard"),
        Binding(.openURL, [.character("o")], "open the joke's URL"),
        Binding(.wrap, [.character("w")], "toggle line wrapping"),
        Binding(.random, [.character("z")], "random jokes"),
        Binding(.filters, [.character("F")], "filter jokes"),
        Binding(.clearFilters, [.character("c")], "clear the filters"),
        Binding(.hidden, [.character("U")], "show hidden jokes"),
        Binding(.details, [.character("p")], "show or hide details"),
        Binding(.detailsDown, [.character("J")], "scroll details down"),
        Binding(.detailsUp, [.character("K")], "scroll details up"),
        Binding(.sources, [.character("s")], "show source status"),
        Binding(.refresh, [.character("r")], "refresh, or reconnect"),
        Binding(.refreshSource, [.character("R")], "refresh the joke's source"),
        Binding(.toggleSource, [.character("E")], "enable or disable source"),
        Binding(.testSource, [.character("t")], "test source"),
    ])
}

extension Key {
    /// The names of more than one character, without those of control and function keys.
    static let longNames = namesOfKeys.flatMap(\.names).filter { $0.count > 1 }

    /// The name in the help, such as `j`, `^D` or `PgDn`.
    package var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let character): "^" + character.uppercased()
        case .alt(let character): "Alt+\(character)"
        case .function(let number): "F\(number)"
        default: namesOfKeys.first { $0.key == self }?.names[0] ?? "\(self)"
        }
    }

    /// The key of a name; long names in any case. Nil for an unknown name, and for a key that a terminal sends as
    /// another key, such as `^I`.
    package init?(named name: String) {
        let word = name.lowercased()
        if let key = namesOfKeys.first(where: { $0.names.contains { $0.lowercased() == word } })?.key {
            self = key
        } else if name.count == 1, let character = name.first, character.isTyped {
            self = .character(character)
        } else if word.count == 2, word.first == "^", let letter = word.last, ("a"..."z").contains(letter),
            !"hijm".contains(letter)
        {
            self = .control(letter)
        } else if word.hasPrefix("alt+"), name.count == 5, let character = name.last, character.isTyped {
            self = .alt(character)
        } else if let number = Int(word.dropFirst()), (1...63).contains(number), word == "f\(number)" {
            self = .function(number)
        } else {
            return nil
        }
    }
}

extension Character {
    fileprivate var isTyped: Bool {
        switch unicodeScalars.first?.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}

/// The named keys: first the name in the help, then other accepted names.
private let namesOfKeys: [(key: Key, names: [String])] = [
    (.character(" "), ["space"]),
    (.enter, ["enter", "return"]),
    (.tab, ["tab"]),
    (.backTab, ["shift-tab"]),
    (.escape, ["escape", "esc"]),
    (.backspace, ["backspace"]),
    (.delete, ["delete", "del"]),
    (.insert, ["insert", "ins"]),
    (.up, ["\u{2191}", "up"]),
    (.down, ["\u{2193}", "down"]),
    (.left, ["\u{2190}", "left"]),
    (.right, ["\u{2192}", "right"]),
    (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown"]),
    (.home, ["home"]),
    (.end, ["end"]),
]
