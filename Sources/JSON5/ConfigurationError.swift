import Glibc
package import Unix

/// Why a configuration file cannot be used.
package enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    case unreadable(SystemError)
    /// All problems of the file, in the order of its lines.
    case invalid(file: String, problems: [Problem])

    package struct Problem: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// The path of the value, such as `sources[1].interval`; empty for the whole file.
        package let keyPath: String
        /// The mistake, and if possible the fix. Without values that may be secrets, and without control characters.
        package let message: String

        package init(line: Int, keyPath: String, message: String) {
            (self.line, self.keyPath, self.message) = (line, keyPath, message)
        }
    }

    /// Returns the error for problems in any order.
    package static func mistakes(_ problems: [Problem], in file: String) -> ConfigurationError {
        let sorted = problems.sorted { ($0.line, $0.keyPath, $0.message) < ($1.line, $1.keyPath, $1.message) }
        return .invalid(file: file, problems: sorted)
    }

    package var isMissingFile: Bool {
        guard case .unreadable(let error) = self else { return false }
        return error.code == ENOENT || error.code == ENOTDIR
    }

    /// A line for each problem: `config.json:12: sources[1].interval: expected a duration such as 90s, found '6x'`.
    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .invalid(let file, let problems):
            problems.map { problem in
                let path = problem.keyPath.isEmpty ? "" : "\(problem.keyPath): "
                return "\(file):\(problem.line): \(path)\(problem.message)"
            }.joined(separator: "\n")
        }
    }
}
