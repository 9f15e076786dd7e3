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
        var problems: [ConfigurationError.Problem] = []
        let rule = Rule<Settings>.object { members in
            var settings = Settings()
            settings.keys = members["keys", KeyRebinding.rule(changing: .standard)] ?? .standard
            settings.usesMouse = members["mouse", .bool] ?? true
            settings.wrapsRows = members["wrap", .bool] ?? true
            return settings
        }
        guard let settings = rule.read(root, "", &problems), problems.isEmpty else {
            throw ConfigurationError.mistakes(problems, in: file)
        }
        self = settings
    }
}
