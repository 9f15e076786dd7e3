/// The command that copies a text to the clipboard of the terminal's user: OSC 52, with the text in base64, which has no
/// control characters. A terminal may be configured to ignore it.
package func clipboardCommand(_ text: String) -> String {
    "\u{1B}]52;c;\(base64(Array(text.utf8)))\u{7}"
}

/// RFC 4648, 4.
private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start...].prefix(3)
        let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
        for position in 0..<4 {
            text.append(position <= group.count ? digits[bits >> (18 - 6 * position) & 63] : "=")
        }
    }
    return text
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
