import Glibc
import JSON5
import Unix

/// What somebody wants otherwise: the file tui.json.
package struct Settings: Hashable, Sendable {
    package var keys = KeyTable.standard
    /// Whether the viewer takes clicks and the wheel, which the terminal then does not.
    package var usesMouse = true

    package init() {}

    /// The largest file that is read.
    private static let largestFile = 1_000_000

    /// Reads `$XDG_CONFIG_HOME/jokesd/tui.json`, else the one in `~/.config`; the standard where there is none.
    ///
    /// - Throws: `SettingsError` where a file is there that cannot be used: other keys than those that were written would
    ///   be a surprise.
    package static func load(_ environment: [String: String]) throws(SettingsError) -> Settings {
        guard let path = personalConfigurationFile("tui.json", environment) else { return Settings() }
        let bytes: [UInt8]
        do {
            bytes = try contentsOfFile(path, limit: largestFile)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return Settings() }
            throw .unreadable(error)
        }
        return try Settings(bytes, file: path)
    }

    /// Reads JSON5, `{"keys": {"star": ["f", "^F"]}, "mouse": false}`; both may be left out.
    ///
    /// - Parameters:
    ///   - bytes: the file's.
    ///   - file: what it is called in complaints.
    /// - Throws: `SettingsError.invalid` with all that is wrong.
    package init(_ bytes: [UInt8], file: String) throws(SettingsError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid(file: file, problems: [Problem(line: 1, keyPath: "", message: "this is not UTF-8")])
        }
        let root: LocatedJSON
        do {
            root = try JSON5Reader.read(text)
        } catch {
            throw .invalid(file: file, problems: [Problem(line: error.line, keyPath: "", message: error.message)])
        }
        var problems: [Problem] = []
        take(root, &problems)
        guard problems.isEmpty else {
            throw .invalid(file: file, problems: problems.sorted { ($0.line, $0.keyPath) < ($1.line, $1.keyPath) })
        }
    }

    private typealias Problem = SettingsError.Problem

    private mutating func take(_ root: LocatedJSON, _ problems: inout [Problem]) {
        guard case .object(let members) = root.value else {
            return problems.append(
                Problem(
                    line: root.line, keyPath: "", message: #"\#(root.quoted) is not an object; write {"keys": {…}}"#))
        }
        var seen: [String: Int] = [:]
        for member in members {
            if let first = seen.updateValue(member.line, forKey: member.key) {
                problems.append(
                    Problem(line: member.line, keyPath: member.key, message: "is there twice, first in line \(first)"))
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
        case ("keys", _), ("mouse", _):
            let right = member.key == "keys" ? #"an object; write {"star": ["f"]}"# : "true or false"
            problems.append(
                Problem(
                    line: member.value.line, keyPath: member.key, message: "\(member.value.quoted) is not \(right)"))
        default:
            let message = "there is no such key" + suggestion(member.key, among: ["keys", "mouse"])
            problems.append(Problem(line: member.line, keyPath: quote(member.key), message: message))
        }
    }
}
