import JSON5
import Terminal
import Unix

/// The settings in tui.json.
struct Settings: Hashable, Sendable {
    var keys = KeyTable.standard
    /// True if the viewer handles the mouse, so the terminal does not.
    var usesMouse = true
    /// Whether rows are wrapped at the start; nil for as in the last run.
    var wrapsRows: Bool?
    var theme = Theme.auto
}

extension Settings {
    /// Returns the path of tui.json in `$XDG_CONFIG_HOME/jokesd` or `~/.config/jokesd`; nil if neither is set.
    static func file(_ environment: [String: String]) -> String? {
        personalConfigurationFile("jokesd/tui.json", environment)
    }

    /// Reads tui.json; the default settings if there is none.
    ///
    /// - Throws: `ConfigurationError` for a file with errors.
    static func load(_ environment: [String: String]) throws(ConfigurationError) -> Settings {
        guard let path = file(environment) else { return Settings() }
        do {
            return try Settings(LocatedJSON.bytes(ofFile: path), file: path)
        } catch {
            if error.isMissingFile { return Settings() }
            throw error
        }
    }

    /// Reads JSON5 such as `{"keys": {"star": ["f", "^F"]}, "mouse": false, "wrap": false, "theme": "dark"}`.
    ///
    /// - Throws: `ConfigurationError.invalid` with all errors; `file` is the name in them.
    init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
        let root = try LocatedJSON(bytes, file: file)
        var problems: [ConfigurationError.Problem] = []
        let rule = Rule<Settings>.object { members in
            var settings = Settings()
            settings.keys = members["keys", KeyRebinding.rule()] ?? .standard
            settings.usesMouse = members["mouse", .bool] ?? true
            settings.wrapsRows = members["wrap", .bool]
            settings.theme = members["theme", .theme] ?? .auto
            return settings
        }
        guard let settings = rule.read(root, "", &problems), problems.isEmpty else {
            throw ConfigurationError.mistakes(problems, in: file)
        }
        self = settings
    }
}
