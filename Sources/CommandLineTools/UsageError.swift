/// A wrong command line.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, such as `unknown option '--jsno'`.
    package let message: String
    /// The next step, such as `Did you mean '--json'?`
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
