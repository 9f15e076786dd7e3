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
            "cannot open the viewer: standard input or output is not a terminal"
        case .unknownTerminal(let name):
            "cannot open the viewer: terminal type '\(sanitized(name))' (TERM) is not in the terminfo database"
        case .cannotPlaceCursor(let name):
            "cannot open the viewer: terminal type '\(sanitized(name))' (TERM) cannot move its cursor"
        case .system(let error):
            error.description
        }
    }
}
