import CommandLineTools
import JSON5
import Terminal

/// Changes a table of keys as the object `keys` of tui.json says, and notes all that is wrong with that object.
///
/// An action that is named gets the keys of its list and no others; each of them is taken from whatever action has it in
/// the table. A key in two lists, or an action that is left without any key and is not named itself, is a mistake.
struct KeyRebinding {
    private let table: KeyTable
    private(set) var problems: [ConfigurationError.Problem] = []
    /// The lists, and the line of each action's name.
    private var lists: [Action: (keys: [Key], line: Int)] = [:]
    /// Which action each key is given to.
    private var owners: [Key: (action: Action, line: Int)] = [:]

    init(of table: KeyTable, by members: [LocatedJSON.Member]) {
        self.table = table
        for member in members { take(member) }
    }

    /// The changed table; to be used where there are no problems.
    mutating func rebound() -> KeyTable {
        KeyTable(
            table.bindings.map { binding in
                if let list = lists[binding.action] {
                    return KeyTable.Binding(binding.action, list.keys, binding.summary)
                }
                let left = binding.keys.filter { owners[$0] == nil }
                if left.isEmpty { noteLoss(of: binding) }
                return KeyTable.Binding(binding.action, left, binding.summary)
            })
    }

    private mutating func take(_ member: LocatedJSON.Member) {
        guard let action = Action(rawValue: member.key) else {
            let actions = table.bindings.map(\.action.rawValue)
            let message = "unknown action \(quote(member.key))" + suggestion(member.key, among: actions)
            return problems.append(ConfigurationError.Problem(line: member.line, keyPath: "keys", message: message))
        }
        if let first = lists[action] {
            return note(member.line, member.key, "duplicate key: first used on line \(first.line)")
        }
        lists[action] = ([], member.line)
        switch member.value.value {
        case .string: takeKey(member.value, for: action)
        case .array(let keys):
            if keys.isEmpty && action == .quit { note(member.line, member.key, "quit needs a key: write [\"q\"]") }
            for key in keys { takeKey(key, for: action) }
        default:
            note(
                member.value.line, member.key,
                "expected a list of keys such as [\"f\", \"^F\"], found \(member.value.quoted)")
        }
    }

    private mutating func takeKey(_ value: LocatedJSON, for action: Action) {
        guard case .string(let name) = value.value else {
            return note(value.line, action.rawValue, "expected a key such as \"f\", found \(value.quoted)")
        }
        take(name, value.line, for: action)
    }

    private mutating func take(_ name: String, _ line: Int, for action: Action) {
        guard let key = Key(named: name) else {
            let rightful =
                "use a character, ^A to ^Z (but not ^H, ^I, ^J or ^M), F1 to F63, space, enter, tab, shift-tab, "
                + "escape, backspace, delete, insert, up, down, left, right, PgUp, PgDn, home or end"
            return note(line, action.rawValue, "unknown key name \(quote(name)): \(rightful)")
        }
        if let owner = owners[key] {
            return note(
                line, action.rawValue,
                "\(quote(name)) is already bound to \(owner.action.rawValue) on line \(owner.line): remove one"
            )
        }
        owners[key] = (action, line)
        lists[action]?.keys.append(key)
    }

    private mutating func noteLoss(of binding: KeyTable.Binding) {
        let owners = owners
        let taken = binding.keys.compactMap { key in owners[key].map { (key, owner: $0) } }
        guard let (key, owner) = taken.max(by: { $0.owner.line < $1.owner.line }) else { return }
        note(
            owner.line, owner.action.rawValue,
            "\(quote(key.name)) is the only key of \(binding.action.rawValue): bind \(binding.action.rawValue) to another key, or to []"
        )
    }

    private mutating func note(_ line: Int, _ key: String, _ message: String) {
        let isName = key.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        let path = isName && !key.isEmpty ? "keys.\(key)" : "keys[\(quote(key))]"
        problems.append(ConfigurationError.Problem(line: line, keyPath: path, message: message))
    }
}

/// What was most likely meant, or what there is to choose from, as the end of a sentence.
func suggestion(_ word: String, among words: [String]) -> String {
    if let meant = nearest(to: word, among: words) { return ": did you mean \(quote(meant))?" }
    return ": use one of " + words.joined(separator: ", ")
}
