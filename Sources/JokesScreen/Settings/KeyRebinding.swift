import JSON5
import Terminal

/// Changes a key table by the object `keys` of tui.json, and collects its errors.
///
/// A named action has only the keys of its list; other actions lose these keys. A key in two lists is an error, and so
/// is an action that loses its last key and is not named.
struct KeyRebinding {
    private let table: KeyTable
    private var problems: [ConfigurationError.Problem] = []
    /// The keys of each named action, and the path of its list.
    private var lists: [Action: (keys: [Key], path: String)] = [:]
    private var owners: [Key: (action: Action, line: Int)] = [:]

    private init(of table: KeyTable) {
        self.table = table
    }

    /// The rule for the object.
    static func rule(changing table: KeyTable) -> Rule<KeyTable> {
        Rule { value, keyPath, problems in
            var rebinding = KeyRebinding(of: table)
            let members = Rule<[Void]>.members { member, path, _ in rebinding.take(member, path, in: keyPath) }
            _ = members.read(value, keyPath, &problems)
            let rebound = rebinding.rebound()
            problems += rebinding.problems
            return rebound
        }
    }

    private mutating func rebound() -> KeyTable {
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

    private mutating func take(_ member: LocatedJSON.Member, _ path: String, in keyPath: String) {
        guard let action = Action(rawValue: member.key) else {
            let actions = table.bindings.map(\.action.rawValue)
            return note(
                member.line, keyPath,
                "unknown action \(quote(member.key))" + suggestion(for: member.key, among: actions))
        }
        // A duplicate member was reported.
        if lists[action] != nil { return }
        lists[action] = ([], path)
        switch member.value.value {
        case .string: takeKey(member.value, for: action, path)
        case .array(let keys):
            if keys.isEmpty && action == .quit { note(member.line, path, "quit needs a key: write [\"q\"]") }
            for key in keys { takeKey(key, for: action, path) }
        default:
            note(
                member.value.line, path, "expected a list of keys such as [\"f\", \"^F\"], found \(member.value.quoted)"
            )
        }
    }

    private mutating func takeKey(_ value: LocatedJSON, for action: Action, _ path: String) {
        guard case .string(let name) = value.value else {
            return note(value.line, path, "expected a key such as \"f\", found \(value.quoted)")
        }
        guard let key = Key(named: name) else {
            let rightful =
                "use a character, ^A to ^Z (but not ^H, ^I, ^J or ^M), F1 to F63, space, enter, tab, shift-tab, "
                + "escape, backspace, delete, insert, up, down, left, right, PgUp, PgDn, home or end"
            return note(value.line, path, "unknown key name \(quote(name)): \(rightful)")
        }
        if let owner = owners[key] {
            return note(
                value.line, path,
                "\(quote(name)) is already bound to \(owner.action.rawValue) on line \(owner.line): remove one")
        }
        owners[key] = (action, value.line)
        lists[action]?.keys.append(key)
    }

    private mutating func noteLoss(of binding: KeyTable.Binding) {
        let owners = owners
        let taken = binding.keys.compactMap { key in owners[key].map { (key, owner: $0) } }
        guard let (key, owner) = taken.max(by: { $0.owner.line < $1.owner.line }) else { return }
        let action = binding.action.rawValue
        note(
            owner.line, lists[owner.action]?.path ?? "",
            "\(quote(key.name)) is the only key of \(action): bind \(action) to another key, or to []")
    }

    private mutating func note(_ line: Int, _ path: String, _ message: String) {
        problems.append(ConfigurationError.Problem(line: line, keyPath: path, message: message))
    }
}
