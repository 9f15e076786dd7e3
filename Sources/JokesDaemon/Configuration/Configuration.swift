import HTTP
import JSON5
import JokesCore
import JokesStore
import Unix

/// The checked configuration of the daemon.
///
/// The initial values are the defaults. `config.example.json` shows and explains them.
struct Configuration: Hashable, Sendable {
    /// The sources in the order of the file. Names are unique.
    var sources: [SourceConfiguration] = []
    /// The filter for all jokes.
    var filter = JokeFilter()
    /// The settings of the section with the newest jokes.
    var feed = FeedSettings()
    var cache = CacheLimits()
    var network = Network()

    /// The settings for requests to sources.
    struct Network: Hashable, Sendable {
        /// The maximum time of a request with its redirects, from name resolution to the last byte.
        var timeout: Duration = .seconds(30)
        /// The maximum size of a response after decompression, in bytes.
        var maxBody = 8_000_000
        /// A mail or web address for the User-Agent, in printable ASCII; empty for none.
        var contact = ""
        var proxy = Proxy.fromEnvironment
        /// The addresses that every source may connect to, such as those of a resolver that makes them up.
        var allowAddresses: [AddressBlock] = []
        /// The path of a PEM file with certificate authorities; nil for that of `SSL_CERT_FILE`, or else those of the system.
        var caFile: String?

        var userAgent: String {
            contact.isEmpty ? "jokesd/\(jokesdVersion)" : "jokesd/\(jokesdVersion) (+\(contact))"
        }

        /// The proxy for servers that are not on this machine.
        enum Proxy: Hashable, Sendable {
            /// The proxy of `https_proxy` and similar variables.
            case fromEnvironment
            /// No proxy, even if a variable has one.
            case direct
            /// The proxy with this URL, which has a scheme that libcurl knows, and no user or password.
            case url(String)
            /// The proxy with a URL in this file or credential. The URL may have a user and a password.
            case reference(SecretReference)
        }
    }

    /// The rules about which jokes are shown. The bundled jokes come last.
    var displayRules: DisplayRules {
        let filters = sources.compactMap { source in source.filter.map { (source.name, $0) } }
        return DisplayRules(
            sourceOrder: sources.map(\.name) + [StarterJokes.source], filter: filter,
            sourceFilters: Dictionary(uniqueKeysWithValues: filters),
            sourceDefaults: Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.defaults) }))
    }

    // MARK: Reading

    /// The origin of the configuration if there is no file. Otherwise, the origin is the path of the file.
    static let builtInOrigin = "the built-in configuration"

    /// The configuration if there is no file: `config.example.json`, which is compiled in.
    static let builtIn: Configuration = {
        do {
            return try parse(PackageResources.config_example_json, file: builtInOrigin)
        } catch {
            preconditionFailure("the built-in configuration is invalid: \(error)")
        }
    }()

    /// Reads the configuration to use, and returns it with its origin.
    ///
    /// Reads the file of `--config` (`option`). Without the option, reads the first file that exists:
    /// `$XDG_CONFIG_HOME/jokesd/config.json`, then `systemFile`. Without a file, returns the built-in configuration.
    ///
    /// - Throws: `ConfigurationError` if the first file that exists is invalid or unreadable.
    static func load(
        option: String?, environment: [String: String], systemFile: String = Configuration.systemFile
    ) throws(ConfigurationError) -> (configuration: Configuration, origin: String) {
        if let option { return (try parse(try LocatedJSON.bytes(ofFile: option), file: option), option) }
        for path in [personalConfigurationFile("jokesd/config.json", environment), systemFile].compactMap(\.self) {
            do {
                return (try parse(try LocatedJSON.bytes(ofFile: path), file: path), path)
            } catch {
                if !error.isMissingFile { throw error }
            }
        }
        return (builtIn, builtInOrigin)
    }

    /// Returns the configuration in the bytes of a file, with the built-in sources if the file has no list of sources.
    /// Throws all problems of the file. `file` is the name in messages.
    static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        let root = try LocatedJSON(bytes, file: file)
        var problems: [ConfigurationError.Problem] = []
        guard let configuration = Rule<Configuration>.object(Configuration.init(_:)).read(root, "", &problems),
            problems.isEmpty
        else {
            throw ConfigurationError.mistakes(problems, in: file)
        }
        return configuration
    }

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
