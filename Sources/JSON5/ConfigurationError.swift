import Glibc
package import Unix

/// Why a program does not start with the configuration that somebody wrote.
package enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The file could not be read.
    case unreadable(SystemError)
    /// The file was read and says what it cannot mean: every problem of it, in the order of the lines.
    case invalid(file: String, problems: [Problem])

    /// One thing that is wrong in the file.
    package struct Problem: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// Where in the tree: `sources[1].interval`; empty for the whole file.
        package let keyPath: String
        /// The mistake, and if possible what to write instead. It never quotes a value that may be a secret, and has no
        /// control characters.
        package let message: String

        package init(line: Int, keyPath: String, message: String) {
            self.line = line
            self.keyPath = keyPath
            self.message = message
        }
    }

    /// What is wrong in a file, in the order of the lines whatever order it was found in.
    package static func mistakes(_ problems: [Problem], in file: String) -> ConfigurationError {
        .invalid(file: file, problems: problems.sorted(by: comesBefore))
    }

    private static func comesBefore(_ one: Problem, _ other: Problem) -> Bool {
        (one.line, one.keyPath, one.message) < (other.line, other.keyPath, other.message)
    }

    /// Whether there simply is no such file.
    package var isMissingFile: Bool {
        guard case .unreadable(let error) = self else { return false }
        return error.code == ENOENT || error.code == ENOTDIR
    }

    /// A line for each problem: `config.json:12: sources[1].interval: expected a duration such as 90s, found '6x'`.
    package var description: String {
        switch self {
        case .unreadable(let error):
            error.description
        case .invalid(let file, let problems):
            problems.map { problem in
                let place = problem.keyPath.isEmpty ? "" : "\(problem.keyPath): "
                return "\(file):\(problem.line): \(place)\(problem.message)"
            }.joined(separator: "\n")
        }
    }
}
