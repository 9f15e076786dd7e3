import Terminal
import TextLayout

enum Action: String, Hashable, Sendable, CaseIterable {
    case down, up, halfPageDown, halfPageUp, pageDown, pageUp, scrollDown, scrollUp, first, last
    case nextSection, previousSection, fold, foldAll
    case search, nextFound, previousFound, nextUnseen, previousUnseen
    case reveal, open, close
    case star, note, seen, allSeen, hide, undo, redo
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
        case program = "Program", moving = "Moving", searching = "Searching"
        case jokes = "Jokes", pages = "Sources and pages"
    }

    /// True if the action moves the cursor of the list.
    var movesInList: Bool {
        let others: [Action] = [.scrollDown, .scrollUp, .fold, .foldAll]
        return (group == .moving || self == .nextFound || self == .previousFound) && !others.contains(self)
    }

    var group: Group {
        switch self {
        case .help, .redraw, .suspend, .quit: .program
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .scrollDown, .scrollUp, .first, .last: .moving
        case .nextSection, .previousSection, .fold, .foldAll, .nextUnseen, .previousUnseen: .moving
        case .search, .nextFound, .previousFound: .searching
        case .reveal, .open, .close, .star, .note, .seen, .allSeen, .hide, .undo, .redo, .copy, .openURL, .wrap: .jokes
        case .random, .filters, .clearFilters, .hidden, .details, .detailsDown, .detailsUp: .pages
        case .sources, .toggleSource, .testSource, .refresh, .refreshSource: .pages
        }
    }
}

/// The keys of each action. The help is made from this table.
struct KeyTable: Hashable, Sendable {
    struct Binding: Hashable, Sendable {
        let action: Action
        /// Keys, or two keys one after the other. Messages name the first ones.
        let keys: [[Key]]
        let summary: String

        init(_ action: Action, _ keys: [[Key]], _ summary: String) {
            (self.action, self.keys, self.summary) = (action, keys, summary)
        }

        init(_ action: Action, _ keys: [Key], _ summary: String) {
            self.init(action, keys.map { [$0] }, summary)
        }
    }

    /// In the order of the help.
    let bindings: [Binding]

    func action(for key: Key) -> Action? { action(for: [key]) }

    func action(for keys: [Key]) -> Action? { bindings.first { $0.keys.contains(keys) }?.action }

    /// True if the key is the first of two.
    func begins(with key: Key) -> Bool { bindings.contains { $0.keys.contains { $0.count > 1 && $0[0] == key } } }

    /// The key of an action in messages; the name of the action if it has no key.
    func name(of action: Action) -> String {
        bindings.first { $0.action == action }?.keys.first?.name ?? action.rawValue
    }

    /// The keys as in vi and less.
    static let standard = KeyTable(bindings: [
        Binding(.help, [.character("?"), .function(1)], "this help"),
        Binding(.quit, [[.character("q")], [.control("c")], .typed("ZZ"), .typed(":q")], "back, or quit"),
        Binding(.suspend, [.control("z")], "suspend (fg resumes)"),
        Binding(.redraw, [.control("l")], "redraw the screen"),
        Binding(.down, [.character("j"), .down, .control("n")], "next row"),
        Binding(.up, [.character("k"), .up, .control("p")], "previous row"),
        Binding(.halfPageDown, [.control("d")], "half a page down"),
        Binding(.halfPageUp, [.control("u")], "half a page up"),
        Binding(.pageDown, [.pageDown, .control("f")], "page down"),
        Binding(.pageUp, [.pageUp, .control("b"), .character("b")], "page up"),
        Binding(.scrollDown, [.control("e")], "scroll down"),
        Binding(.scrollUp, [.control("y")], "scroll up"),
        Binding(.first, [.character("g"), .home], "first row"),
        Binding(.last, [.character("G"), .end], "last row"),
        Binding(.nextSection, [.character("}")], "next section"),
        Binding(.previousSection, [.character("{")], "previous section"),
        Binding(.nextUnseen, [.character("]")], "next unseen joke"),
        Binding(.previousUnseen, [.character("[")], "previous unseen joke"),
        Binding(.fold, [.tab], "fold or unfold section"),
        Binding(.foldAll, [.backTab], "fold or unfold all"),
        Binding(.search, [.character("/")], "search (Esc cancels)"),
        Binding(.nextFound, [.character("n")], "next match, or unseen"),
        Binding(.previousFound, [.character("N")], "previous match, or all seen"),
        Binding(.reveal, [.character(" "), .enter], "toggle punchline, open"),
        Binding(.open, [.character("l"), .right], "show punchline, open"),
        Binding(.close, [.character("h"), .left], "hide punchline, close"),
        Binding(.star, [.character("f"), .character("*")], "add or remove favorite"),
        Binding(.note, [.character("e")], "edit favorite's note"),
        Binding(.seen, [.character("m")], "mark as seen or unseen"),
        Binding(.allSeen, [.character("A")], "mark all as seen"),
        Binding(.hide, [.character("x"), .delete], "hide the joke"),
        Binding(.undo, [.character("u")], "undo the last change"),
        Binding(.redo, [.control("r")], "redo what was undone"),
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
        Binding(.refresh, [.character("r"), .function(5)], "refresh, or reconnect"),
        Binding(.refreshSource, [.character("R")], "refresh the joke's source"),
        Binding(.toggleSource, [.character("E")], "enable or disable source"),
        Binding(.testSource, [.character("t")], "test source"),
    ])
}

extension [Key] {
    /// The keys of characters.
    static func typed(_ text: String) -> [Key] { text.map { .character($0) } }

    /// The names of the keys: `ZZ`, `^X b`.
    var name: String {
        let names = map(\.name)
        return names.joined(separator: names.allSatisfy { $0.count == 1 } ? "" : " ")
    }

    /// One or two keys: `f`, `ZZ`, `^X b`. Nil for an unknown name.
    init?(named name: String) {
        let parts = name.count == 2 ? name.map(String.init) : name.split(separator: " ").map(String.init)
        if let key = Key(named: name) {
            self = [key]
        } else if parts.count == 2, let first = Key(named: parts[0]), let second = Key(named: parts[1]) {
            self = [first, second]
        } else {
            return nil
        }
    }
}

extension Key {
    /// The names of more than one character, without those of control and function keys.
    static let longNames = namesOfKeys.map(\.name).filter { $0.count > 1 }

    /// The name in the help, such as `j`, `^D` or `PgDn`.
    var name: String {
        switch self {
        case .character(let character) where character != " ": String(character)
        case .control(let character): "^" + character.uppercased()
        case .alt(let character): "Alt+\(character)"
        case .function(let number): "F\(number)"
        default: namesOfKeys.first { $0.key == self }?.name ?? "\(self)"
        }
    }

    /// The key of a name; long names in any case. Nil for an unknown name, and for a key that a terminal sends as
    /// another key, such as `^I`.
    init?(named name: String) {
        let word = name.lowercased()
        if let key = namesOfKeys.first(where: { $0.name.lowercased() == word })?.key {
            self = key
        } else if name.count == 1, let character = name.first, isTyped(character) {
            self = .character(character)
        } else if word.count == 2, word.first == "^", let letter = word.last, "abcdefgklnopqrstuvwxyz".contains(letter)
        {
            self = .control(letter)
        } else if word.hasPrefix("alt+"), name.count == 5, let character = name.last, isTyped(character) {
            self = .alt(character)
        } else if let number = Int(word.dropFirst()), (1...63).contains(number), word == "f\(number)" {
            self = .function(number)
        } else {
            return nil
        }
    }
}

private func isTyped(_ character: Character) -> Bool { sanitized(String(character)) == String(character) }

/// The named keys: first the names in the help, then those of the cases.
private let namesOfKeys: [(name: String, key: Key)] =
    [
        ("space", .character(" ")), ("shift-tab", .backTab), ("Esc", .escape), ("PgUp", .pageUp), ("PgDn", .pageDown),
        ("\u{2191}", .up), ("\u{2193}", .down), ("\u{2190}", .left), ("\u{2192}", .right),
    ]
    + [
        Key.enter, .tab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .pageUp, .pageDown, .home,
        .end,
    ].map { ("\($0)", $0) }
