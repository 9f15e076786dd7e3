package import JSON5
import JokesCore

extension Configuration {
    /// The configuration if there is no file: `config.example.json`, which is compiled in.
    package static let builtIn: Configuration = {
        do {
            return try parse(PackageResources.config_example_json, file: "the built-in configuration", sources: [])
        } catch {
            preconditionFailure("the built-in configuration is invalid: \(error)")
        }
    }()

    /// Reads a configuration from the bytes of a file. `file` is its name in messages.
    ///
    /// - Throws: `ConfigurationError.invalid` with all problems of the file. A text that is not JSON5 has one.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        try parse(bytes, file: file, sources: builtIn.sources)
    }

    private static func parse(
        _ bytes: [UInt8], file: String, sources: [SourceConfiguration]
    ) throws(ConfigurationError) -> Configuration {
        let root = try LocatedJSON(bytes, file: file)
        var problems: [ConfigurationError.Problem] = []
        let configuration = rule(builtInSources: sources).read(root, "", &problems)
        guard let configuration, problems.isEmpty else {
            throw ConfigurationError.mistakes(problems, in: file)
        }
        return configuration
    }
}
