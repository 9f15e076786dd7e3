import JSON5
import Terminal
import TextLayout

/// Changes the standard keys by the object `keys` of tui.json, and collects its errors.
///
/// A named action has only the keys of its list; other actions lose these keys. A key in two lists is an error, and so
/// is an action that loses its last key and is not named.
struct KeyRebinding {
    private let table = KeyTable.standard
    private var problems: [ConfigurationError.Problem] = []
    /// The keys of each named action.
    private var keys: [Action: [[Key]]] = [:]
    /// The named action of each key, and the line of the key in the file.
    private var owners: [[Key]: (action: Action, line: Int, path: String)] = [:]

    static func rule() -> Rule<KeyTable> {
        Rule { value, keyPath, problems in
            var rebinding = KeyRebinding()
            let members = Rule<[Void]>.members { member, path, _ in rebinding.readMember(member, path, in: keyPath) }
            _ = members.read(value, keyPath, &problems)
            let rebound = rebinding.rebound()
            problems += rebinding.problems
            return rebound
        }
    }

    private mutating func rebound() -> KeyTable {
        KeyTable(
            bindings: table.bindings.map { binding in
                let left = keys[binding.action] ?? binding.keys.filter { owner(of: $0) == nil }
                if left.isEmpty && keys[binding.action] == nil { reportLoss(of: binding) }
                return KeyTable.Binding(binding.action, binding.group, left, binding.summary)
            })
    }

    private mutating func readMember(_ member: LocatedJSON.Member, _ path: String, in keyPath: String) {
        guard let action = Action(rawValue: member.key) else {
            let hint = suggestion(for: member.key, among: table.bindings.map(\.action.rawValue))
            return report(member.line, keyPath, "unknown action \(quote(member.key))\(hint)")
        }
        // A duplicate member was reported.
        if keys[action] != nil { return }
        let list = Rule<[LocatedJSON]>(#"a list of keys such as ["f", "^F"]"#) { value in
            switch value {
            case .string: [member.value]
            case .array(let values): values
            default: nil
            }
        }
        let values = list.read(member.value, path, &problems)
        if action == .quit, values?.isEmpty == true { report(member.line, path, "quit needs a key: write [\"q\"]") }
        keys[action] = []
        for value in values ?? [] { readKey(value, for: action, path) }
    }

    private mutating func readKey(_ value: LocatedJSON, for action: Action, _ path: String) {
        guard case .string(let name) = value.value else {
            return report(value.line, path, "expected a key such as \"f\", found \(value.quoted)")
        }
        guard let key = [Key](named: name) else {
            if let meant = nearest(to: name, among: Key.longNames) {
                return report(value.line, path, "unknown key name \(quote(name)): did you mean \(quote(meant))?")
            }
            let hint =
                "use a character, ^A to ^Z (but not ^H, ^I, ^J or ^M), F1 to F63, space, enter, tab, shift-tab, "
                + "escape, backspace, delete, insert, up, down, left, right, PgUp, PgDn, home or end, or two keys such as \"g g\""
            return report(value.line, path, "unknown key name \(quote(name)): \(hint)")
        }
        if let owner = owner(of: key) {
            let other = "\(owner.action.rawValue) on line \(owner.line)"
            let what = owners[key] == nil ? "\(quote(name)) begins as a key of" : "\(quote(name)) is already bound to"
            return report(value.line, path, "\(what) \(other): remove one")
        }
        owners[key] = (action, value.line, path)
        keys[action]?.append(key)
    }

    /// The named action with the same keys, or with keys of which one begins the other.
    private func owner(of keys: [Key]) -> (action: Action, line: Int, path: String)? {
        owners.first { $0.key.starts(with: keys) || keys.starts(with: $0.key) }?.value
    }

    private mutating func reportLoss(of binding: KeyTable.Binding) {
        let taken = binding.keys.compactMap { key in owner(of: key).map { (key, owner: $0) } }
        guard let (key, owner) = taken.max(by: { $0.owner.line < $1.owner.line }) else { return }
        let action = binding.action.rawValue
        let words = "\(quote(key.name)) is the only key of \(action): bind \(action) to another key, or to []"
        report(owner.line, owner.path, words)
    }

    private mutating func report(_ line: Int, _ path: String, _ message: String) {
        problems.append(ConfigurationError.Problem(line: line, keyPath: path, message: message))
    }
}
