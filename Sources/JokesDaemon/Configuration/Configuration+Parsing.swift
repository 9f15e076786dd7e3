import JSON5
import JokesCore

extension Configuration {
    /// The configuration where there is no file: `config.example.json`, which is compiled in.
    package static let builtIn: Configuration = {
        do {
            return try parse(PackageResources.config_example_json, file: "the built-in configuration", sources: [])
        } catch {
            preconditionFailure("our own configuration is wrong: \(error)")
        }
    }()

    /// Reads a configuration from the bytes of a file, which is called `file` in complaints.
    ///
    /// - Throws: `ConfigurationError.invalid` with every problem of the file; a text that is not JSON5 has only one.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        try parse(bytes, file: file, sources: builtIn.sources)
    }

    private static func parse(
        _ bytes: [UInt8], file: String, sources: [SourceConfiguration]
    ) throws(ConfigurationError) -> Configuration {
        let root = try readJSON5(bytes, file: file)
        var problems: [ConfigurationError.Problem] = []
        let configuration = rule(builtInSources: sources).read(root, "", &problems)
        guard let configuration, problems.isEmpty else {
            problems.sort { ($0.line, $0.keyPath) < ($1.line, $1.keyPath) }
            throw .invalid(file: file, problems: problems)
        }
        return configuration
    }

    private static func readJSON5(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> LocatedJSON {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid(file: file, problems: [notUTF8(bytes)])
        }
        do {
            return try JSON5Reader.read(text)
        } catch {
            let problem = ConfigurationError.Problem(line: error.line, keyPath: "", message: error.message)
            throw .invalid(file: file, problems: [problem])
        }
    }

    private static func notUTF8(_ bytes: [UInt8]) -> ConfigurationError.Problem {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // A line feed is a byte of its own in UTF-8: the text is broken exactly where one of its lines is.
        let broken = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return ConfigurationError.Problem(line: broken + 1, keyPath: "", message: "this is not UTF-8")
    }
}
