package import JSON5
import Unix

extension Configuration {
    /// The place of a configuration.
    package enum Origin: Hashable, Sendable, CustomStringConvertible {
        case file(String)
        case builtIn

        package var description: String {
            switch self {
            case .file(let path): path
            case .builtIn: "the built-in configuration"
            }
        }
    }

    /// Reads the configuration to use: the file of `--config`, or the first of `$XDG_CONFIG_HOME/jokesd/config.json` and
    /// `/etc/jokesd/config.json` that exists, or the built-in one.
    ///
    /// A file that exists but cannot be read is an error. To use another one in its place would be a surprise.
    ///
    /// - Parameters:
    ///   - option: The file of `--config`, which must exist.
    ///   - environment: For `XDG_CONFIG_HOME` and `HOME`.
    ///   - systemFile: The file for all users.
    /// - Returns: The configuration and its place.
    /// - Throws: `ConfigurationError` if the first file that exists cannot be used.
    package static func load(
        option: String?, environment: [String: String], systemFile: String = "/etc/jokesd/config.json"
    ) throws(ConfigurationError) -> (configuration: Configuration, origin: Origin) {
        if let option { return (try parse(try LocatedJSON.bytes(ofFile: option), file: option), .file(option)) }
        for path in [personalConfigurationFile("config.json", environment), systemFile].compactMap({ $0 }) {
            let bytes: [UInt8]
            do {
                bytes = try LocatedJSON.bytes(ofFile: path)
            } catch {
                if error.isMissingFile { continue }
                throw error
            }
            return (try parse(bytes, file: path), .file(path))
        }
        return (builtIn, .builtIn)
    }
}
