import TextLayout
package import Unix

/// The reason why the terminal cannot be used.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// Terminfo does not have this name, the value of TERM.
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
