import TextLayout
package import Unix

/// Why there is no screen to paint on.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// The terminal database has nothing under this name, the value of TERM.
    case unknownTerminal(name: String)
    /// The terminal of this name cannot place its cursor.
    case cannotPlaceCursor(name: String)
    case system(SystemError)

    package var description: String {
        switch self {
        case .notATerminal:
            "Cannot open the viewer: input and output are not a terminal."
        case .unknownTerminal(let name):
            "Cannot open the viewer: the terminal \"\(sanitized(name))\" (TERM) is not in the terminal database."
        case .cannotPlaceCursor(let name):
            "Cannot open the viewer: the terminal \"\(sanitized(name))\" (TERM) cannot place its cursor."
        case .system(let error):
            error.description
        }
    }
}
