import FoundationEssentials

/// The command that puts a text into the clipboard of whoever sits at the terminal: OSC 52, the text in base64, which
/// has no character that a terminal would obey. A terminal may be set up not to listen.
package func clipboardCommand(_ text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
}

/// Why a text does not come into the clipboard of whoever sits at the terminal.
package enum ClipboardRefusal: Hashable, Sendable {
    /// Linux's own console, which has none.
    case console
    /// GNU screen, which passes the command on to nobody and shows the end of a long one as text.
    case screen
    /// It calls itself screen, as tmux does where it is set up so, and nothing tells which of the two it is.
    case screenOrTmux
    /// A terminal that is not of xterm's kind.
    case otherKind

    /// Nil where the command may be written. What `type`, as the terminal database calls the terminal, leaves open is
    /// known by the variables of the environment that tmux and screen set.
    package init?(type: String, hasMouse: Bool, environment: (String) -> String?) {
        func isTold(_ name: String) -> Bool { environment(name)?.isEmpty == false }
        switch type {
        case _ where type == "linux" || type.hasPrefix("linux-"): self = .console
        case _ where type.hasPrefix("screen"):
            switch (isTold("TMUX"), isTold("STY") || type.hasPrefix("screen.")) {
            case (true, false): return nil
            case (false, true): self = .screen
            case (true, true), (false, false): self = .screenOrTmux
            }
        case _ where hasMouse: return nil
        default: self = .otherKind
        }
    }
}
