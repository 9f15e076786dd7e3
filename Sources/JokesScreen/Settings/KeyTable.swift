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
    /// True if the action moves the cursor of the list.
    var movesInList: Bool {
        switch self {
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last, .nextSection, .previousSection,
            .nextFound, .previousFound, .nextUnseen, .previousUnseen:
            true
        default: false
        }
    }
}

/// The keys of each action. The help is made from this table.
struct KeyTable: Hashable, Sendable {
    /// A subject of the help.
    enum Group: String, CaseIterable {
        case program = "Program", moving = "Moving", searching = "Searching"
        case jokes = "Jokes", pages = "Sources and pages"
    }

    struct Binding: Hashable, Sendable {
        let action: Action
        let group: Group
        /// Keys, or two keys one after the other. Messages name the first ones.
        let keys: [[Key]]
        let summary: String

        init(_ action: Action, _ group: Group, _ keys: [[Key]], _ summary: String) {
            (self.action, self.group, self.keys, self.summary) = (action, group, keys, summary)
        }

        init(_ action: Action, _ group: Group, _ keys: [Key], _ summary: String) {
            self.init(action, group, keys.map { [$0] }, summary)
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
        Binding(.help, .program, [.character("?"), .function(1)], "this help"),
        Binding(.quit, .program, [[.character("q")], [.control("c")], .typed("ZZ"), .typed(":q")], "back, or quit"),
        Binding(.suspend, .program, [.control("z")], "suspend (fg resumes)"),
        Binding(.redraw, .program, [.control("l")], "redraw the screen"),
        Binding(.down, .moving, [.character("j"), .down, .control("n")], "next row"),
        Binding(.up, .moving, [.character("k"), .up, .control("p")], "previous row"),
        Binding(.halfPageDown, .moving, [.control("d")], "half a page down"),
        Binding(.halfPageUp, .moving, [.control("u")], "half a page up"),
        Binding(.pageDown, .moving, [.pageDown, .control("f")], "page down"),
        Binding(.pageUp, .moving, [.pageUp, .control("b"), .character("b")], "page up"),
        Binding(.scrollDown, .moving, [.control("e")], "scroll down"),
        Binding(.scrollUp, .moving, [.control("y")], "scroll up"),
        Binding(.first, .moving, [.character("g"), .home], "first row"),
        Binding(.last, .moving, [.character("G"), .end], "last row"),
        Binding(.nextSection, .moving, [.character("}")], "next section"),
        Binding(.previousSection, .moving, [.character("{")], "previous section"),
        Binding(.nextUnseen, .moving, [.character("]")], "next unseen joke"),
        Binding(.previousUnseen, .moving, [.character("[")], "previous unseen joke"),
        Binding(.fold, .moving, [.tab], "fold or unfold section"),
        Binding(.foldAll, .moving, [.backTab], "fold or unfold all"),
        Binding(.search, .searching, [.character("/")], "search (Esc cancels)"),
        Binding(.nextFound, .searching, [.character("n")], "next match, or unseen"),
        Binding(.previousFound, .searching, [.character("N")], "previous match, or all seen"),
        Binding(.reveal, .jokes, [.character(" "), .enter], "toggle punchline, open"),
        Binding(.open, .jokes, [.character("l"), .right], "show punchline, open"),
        Binding(.close, .jokes, [.character("h"), .left], "hide punchline, close"),
        Binding(.star, .jokes, [.character("f"), .character("*")], "add or remove favorite"),
        Binding(.note, .jokes, [.character("e")], "edit favorite's note"),
        Binding(.seen, .jokes, [.character("m")], "mark as seen or unseen"),
        Binding(.allSeen, .jokes, [.character("A")], "mark all as seen"),
        Binding(.hide, .jokes, [.character("x"), .delete], "hide the joke"),
        Binding(.undo, .jokes, [.character("u")], "undo the last change"),
        Binding(.redo, .jokes, [.control("r")], "redo what was undone"),
        Binding(.copy, .jokes, [.character("y")], "copy to the clipboard"),
        Binding(.openURL, .jokes, [.character("o")], "open the joke's URL"),
        Binding(.wrap, .jokes, [.character("w")], "toggle line wrapping"),
        Binding(.random, .pages, [.character("z")], "random jokes"),
        Binding(.filters, .pages, [.character("F")], "filter jokes"),
        Binding(.clearFilters, .pages, [.character("c")], "clear the filters"),
        Binding(.hidden, .pages, [.character("U")], "show hidden jokes"),
        Binding(.details, .pages, [.character("p")], "show or hide details"),
        Binding(.detailsDown, .pages, [.character("J")], "scroll details down"),
        Binding(.detailsUp, .pages, [.character("K")], "scroll details up"),
        Binding(.sources, .pages, [.character("s")], "show source status"),
        Binding(.refresh, .pages, [.character("r"), .function(5)], "refresh, or reconnect"),
        Binding(.refreshSource, .pages, [.character("R")], "refresh the joke's source"),
        Binding(.toggleSource, .pages, [.character("E")], "enable or disable source"),
        Binding(.testSource, .pages, [.character("t")], "test source"),
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
