/// Reads an object of the configuration key by key, and collects its problems.
package struct KeyedReader {
    package typealias Problem = ConfigurationError.Problem

    private let line: Int
    private let keyPath: String
    private var values: [String: LocatedJSON.Member] = [:]
    private var known: [String] = []
    private var ignored: Set<String> = []
    /// The problems so far, without those of unknown keys.
    private(set) var problems: [Problem] = []

    init(_ members: [LocatedJSON.Member], line: Int, keyPath: String) {
        (self.line, self.keyPath) = (line, keyPath)
        for member in members {
            if let first = values[member.key] {
                report(line: member.line, key: member.key, "duplicate key: first used on line \(first.line)")
            } else {
                values[member.key] = member
            }
        }
    }

    /// Returns the value of an optional key; nil if it is missing or invalid.
    package subscript<Value>(key: String, rule: Rule<Value>) -> Value? {
        mutating get {
            if ignored.contains(key) { return nil }
            known.append(key)
            return values[key].flatMap { rule.read($0.value, path(to: key), &problems) }
        }
    }

    /// Returns the value of a required key; nil if it is missing or invalid, which is a problem.
    package mutating func require<Value>(_ key: String, _ rule: Rule<Value>) -> Value? {
        if values[key] == nil { report(line: line, key: nil, "missing key \(quote(key))") }
        return self[key, rule]
    }

    /// Ignores a key that has no meaning here: it is neither unknown nor suggested. Returns whether the object has it.
    package mutating func ignore(_ key: String) -> Bool {
        ignored.insert(key)
        return contains(key)
    }

    package func contains(_ key: String) -> Bool { values[key] != nil }

    /// Adds a problem with the value of a key, or with the object if the key is nil or missing.
    package mutating func report(about key: String?, _ message: String) {
        let member = key.flatMap { values[$0] }
        report(line: member?.value.line ?? line, key: member?.key, message)
    }

    /// The problems so far, and one for each unknown key. To be read after all known keys.
    var allProblems: [Problem] {
        problems
            + values.values.filter { !known.contains($0.key) && !ignored.contains($0.key) }.map { member in
                Problem(
                    line: member.line, keyPath: keyPath,
                    message: "unknown key \(quote(member.key))" + suggestion(for: member.key, among: known))
            }
    }

    private mutating func report(line: Int, key: String?, _ message: String) {
        problems.append(Problem(line: line, keyPath: key.map(path) ?? keyPath, message: message))
    }

    /// Returns the path of the value of a key.
    func path(to key: String) -> String {
        let isName = !key.isEmpty && key.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0 | 0x20) }
        if !isName { return "\(keyPath)[\(quote(key))]" }
        return keyPath.isEmpty ? key : "\(keyPath).\(key)"
    }
}
