/// A command line that cannot be followed.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as it follows the program's name and a colon: `unknown option '--jsno'`.
    package let message: String
    /// The next step, on a line of its own: `Did you mean '--json'?`
    package let suggestion: String?

    package init(_ message: String, suggestion: String? = nil) {
        self.message = message
        self.suggestion = suggestion
    }

    /// The message, and the suggestion on the next line.
    package var description: String {
        [message, suggestion].compactMap(\.self).joined(separator: "\n")
    }
}
