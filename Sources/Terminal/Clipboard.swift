/// The reason why the clipboard cannot be used.
package enum ClipboardRefusal: Hashable, Sendable {
    /// The Linux console.
    case console
    /// GNU screen, which does not pass the sequence on.
    case screen
    /// GNU screen, or tmux with TERM=screen.
    case screenOrTmux
    /// A terminal that is not similar to xterm.
    case otherKind

    /// Nil if the sequence may be written. If the value of TERM is ambiguous, the variables of tmux and screen decide.
    package init?(type: String, hasMouse: Bool, environment: (String) -> String?) {
        func isSet(_ name: String) -> Bool { environment(name)?.isEmpty == false }
        switch type {
        case _ where isLinuxConsole(type): self = .console
        case _ where type.hasPrefix("screen"):
            switch (isSet("TMUX"), isSet("STY") || type.hasPrefix("screen.")) {
            case (true, false): return nil
            case (false, true): self = .screen
            case (true, true), (false, false): self = .screenOrTmux
            }
        case _ where hasMouse: return nil
        default: self = .otherKind
        }
    }
}
