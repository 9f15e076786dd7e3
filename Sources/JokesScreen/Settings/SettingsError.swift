package import Unix

/// Why the viewer does not start with the settings that somebody wrote.
package enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// The file is there and could not be read.
    case unreadable(SystemError)
    /// The file was read and says what it cannot mean: every problem of it, in the order of the lines.
    case invalid(file: String, problems: [Problem])

    /// One thing that is wrong in the file.
    package struct Problem: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// Where in the tree: `keys.star`; empty for the whole file.
        package let keyPath: String
        /// What is wrong, and what would be right.
        package let message: String

        package init(line: Int, keyPath: String, message: String) {
            self.line = line
            self.keyPath = keyPath
            self.message = message
        }
    }

    /// A line for each problem: `tui.json:3: keys.star: "fo" is no key; write …`.
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
