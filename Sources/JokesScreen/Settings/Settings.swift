package import JSON5
import Unix

/// What somebody wants otherwise: the file tui.json.
package struct Settings: Hashable, Sendable {
    package var keys = KeyTable.standard
    /// Whether the viewer takes clicks and the wheel, which the terminal then does not.
    package var usesMouse = true
    /// Whether rows begin with as many lines as they need.
    package var wrapsRows = true

    package init() {}

    /// Reads `$XDG_CONFIG_HOME/jokesd/tui.json`, else the one in `~/.config`; the standard where there is none.
    ///
    /// - Throws: `ConfigurationError` where a file is there that cannot be used: other keys than those that were written would
    ///   be a surprise.
    package static func load(_ environment: [String: String]) throws(ConfigurationError) -> Settings {
        guard let path = personalConfigurationFile("tui.json", environment) else { return Settings() }
        let bytes: [UInt8]
        do {
            bytes = try LocatedJSON.bytes(ofFile: path)
        } catch {
            if error.isMissingFile { return Settings() }
            throw error
        }
        return try Settings(bytes, file: path)
    }

    /// Reads JSON5, `{"keys": {"star": ["f", "^F"]}, "mouse": false, "wrap": false}`; each may be left out.
    ///
    /// - Parameters:
    ///   - bytes: the file's.
    ///   - file: what it is called in complaints.
    /// - Throws: `ConfigurationError.invalid` with all that is wrong.
    package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
        let root = try LocatedJSON(bytes, file: file)
        var problems: [Problem] = []
        take(root, &problems)
        guard problems.isEmpty else { throw ConfigurationError.mistakes(problems, in: file) }
    }

    private typealias Problem = ConfigurationError.Problem

    private mutating func take(_ root: LocatedJSON, _ problems: inout [Problem]) {
        guard case .object(let members) = root.value else {
            return problems.append(
                Problem(
                    line: root.line, keyPath: "",
                    message: #"expected an object such as {"keys": {…}}, found \#(root.quoted)"#))
        }
        var seen: [String: Int] = [:]
        for member in members {
            if let first = seen.updateValue(member.line, forKey: member.key) {
                let message = "duplicate key: first used on line \(first)"
                problems.append(Problem(line: member.line, keyPath: member.key, message: message))
                continue
            }
            take(member, &problems)
        }
    }

    private mutating func take(_ member: LocatedJSON.Member, _ problems: inout [Problem]) {
        switch (member.key, member.value.value) {
        case ("keys", .object(let lists)):
            var rebinding = KeyRebinding(of: .standard, by: lists)
            keys = rebinding.rebound()
            problems += rebinding.problems
        case ("mouse", .bool(let value)):
            usesMouse = value
        case ("wrap", .bool(let value)):
            wrapsRows = value
        case ("keys", _), ("mouse", _), ("wrap", _):
            let expected = member.key == "keys" ? #"an object such as {"star": ["f"]}"# : "true or false"
            let message = "expected \(expected), found \(member.value.quoted)"
            problems.append(Problem(line: member.value.line, keyPath: member.key, message: message))
        default:
            let names = ["keys", "mouse", "wrap"]
            let message = "unknown key \(quote(member.key))" + suggestion(member.key, among: names)
            problems.append(Problem(line: member.line, keyPath: "", message: message))
        }
    }
}
