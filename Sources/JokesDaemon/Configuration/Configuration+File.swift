import JSON5
import Unix

extension Configuration {
    /// The file for all users.
    static let systemFile = "/etc/jokesd/config.json"

    /// Returns the file that a client edits to change the configuration: the absolute path of the file that `load`
    /// reads, and true; or the path for a new file, and false. The system daemon has no personal file.
    static func fileToEdit(
        option: String?, environment: [String: String], isSystemDaemon: Bool,
        systemFile: String = Configuration.systemFile
    ) -> (path: String, exists: Bool) {
        if let option { return (absolutePath(option), exists(option)) }
        let personal = personalConfigurationFile("jokesd/config.json", environment)
        if let found = [personal, systemFile].compactMap(\.self).first(where: exists) { return (found, true) }
        return (isSystemDaemon ? systemFile : personal ?? systemFile, false)
    }

    /// The built-in list of sources, as JSON5 with comments.
    static let defaultSourcesText: String = {
        let text = String(decoding: PackageResources.config_example_json, as: UTF8.self)
        let editor = try? JSON5Editor(text)
        return editor?.source(at: [.key("sources")]) ?? "[]"
    }()
}
