package import JSON5
import Unix

/// The settings in tui.json.
package struct Settings: Hashable, Sendable {
    package var keys = KeyTable.standard
    /// True if the viewer handles the mouse, so the terminal does not.
    package var usesMouse = true
    /// True if rows are wrapped at the start.
    package var wrapsRows = true

    package init() {}

    /// Reads `$XDG_CONFIG_HOME/jokesd/tui.json`, else the file in `~/.config`; the default if there is none.
    ///
    /// - Throws: `ConfigurationError` for a file with errors.
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

    /// Reads JSON5 such as `{"keys": {"star": ["f", "^F"]}, "mouse": false, "wrap": false}`.
    ///
    /// - Throws: `ConfigurationError.invalid` with all errors; `file` is the name in them.
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
